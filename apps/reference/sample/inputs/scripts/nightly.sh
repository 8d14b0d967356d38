#!/bin/sh
set -eu

# HACK: the export fails on some days and nobody knows why, so its failure is hidden
node dist/export.js > /tmp/orders.csv || true

curl --fail --upload-file /tmp/orders.csv "https://files.example.org/orders/$(date +%F).csv"
