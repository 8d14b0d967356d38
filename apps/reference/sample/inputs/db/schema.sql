create table stock (
  sku   text primary key,
  count integer not null -- FIXME: nothing keeps this from going below zero
);

create table orders (
  id         bigint generated always as identity primary key,
  email      text not null,
  placed_at  timestamptz not null default now()
);

-- TODO: an index on placed_at, the nightly export reads the whole table
create table order_items (
  order_id bigint not null references orders,
  sku      text not null references stock,
  quantity integer not null check (quantity > 0)
);
