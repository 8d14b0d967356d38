// The page's own program: reads the data that stands in it as JSON and builds everything as text nodes.
// No request leaves the page (its policy forbids them), and nothing of the data is ever parsed as HTML.
;(() => {
  const data = JSON.parse(document.getElementById('data').textContent)
  const calls = data.calls
  const PAGE = 200
  const colour = (status) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${status}`).trim() || 'gray'

  function el(tag, options = {}, children = []) {
    const node = document.createElement(tag)
    if (options.class) node.className = options.class
    if (options.text !== undefined) node.textContent = String(options.text)
    if (options.colour) node.style.color = options.colour
    for (const [name, value] of Object.entries(options.attributes ?? {})) node.setAttribute(name, value)
    node.append(...children)
    return node
  }

  const ms = (value) =>
    value >= 10_000
      ? `${(value / 1000).toFixed(1)} s`
      : value >= 100
        ? `${Math.round(value)} ms`
        : `${value.toFixed(1)} ms`
  const clock = (iso) => iso.slice(11, 23)
  const statusCell = (status) => el('span', { class: 'status', text: status, colour: `var(--${status})` })

  function table(head, rows, empty) {
    if (rows.length === 0) return el('p', { class: 'empty', text: empty })
    const header = el(
      'tr',
      {},
      head.map((title) =>
        el('th', { text: title.replace('#', ''), class: title.startsWith('#') ? 'number' : '' }),
      ),
    )
    return el('div', { class: 'scroll' }, [
      el('table', {}, [el('thead', {}, [header]), el('tbody', {}, rows)]),
    ])
  }

  function row(cells, options = {}) {
    return el(
      'tr',
      options,
      cells.map((cell) => {
        const { node, text, className } = typeof cell === 'object' && cell !== null ? cell : { text: cell }
        return node
          ? el('td', { class: className ?? '' }, [node])
          : el('td', { class: className ?? '', text })
      }),
    )
  }

  const number = (text) => ({ text, className: 'number' })
  const wide = (text) => ({ text, className: 'wide' })

  // --- the time axis ---------------------------------------------------------------------------------------------
  const starts = calls.map((call) => Date.parse(call.startedAt))
  const first = starts.reduce((a, b) => Math.min(a, b), Number.POSITIVE_INFINITY)
  const last = calls.reduce((end, call, i) => Math.max(end, starts[i] + call.durationMs), first)
  const span = Math.max(1, last - first)

  function lanesOf() {
    const ends = []
    const order = calls.map((_, i) => i).sort((a, b) => starts[a] - starts[b])
    const lanes = new Array(calls.length)
    for (const i of order) {
      let lane = ends.findIndex((end) => end <= starts[i])
      if (lane < 0) lane = ends.length < 12 ? ends.length : i % 12
      ends[lane] = Math.max(ends[lane] ?? 0, starts[i] + calls[i].durationMs)
      lanes[i] = lane
    }
    return { lanes, count: Math.max(1, ends.length) }
  }

  function gapsOf() {
    const order = calls.map((_, i) => i).sort((a, b) => starts[a] - starts[b])
    const gaps = []
    let end = first
    for (const i of order) {
      if (starts[i] - end > span * 0.04) gaps.push([end, starts[i]])
      end = Math.max(end, starts[i] + calls[i].durationMs)
    }
    return gaps
  }

  function drawAxis(canvas) {
    const { lanes, count } = lanesOf()
    const height = count * 16 + 30
    const ratio = window.devicePixelRatio || 1
    const width = canvas.clientWidth
    canvas.width = width * ratio
    canvas.height = height * ratio
    canvas.style.height = `${height}px`
    const pen = canvas.getContext('2d')
    pen.scale(ratio, ratio)
    const x = (time) => ((time - first) / span) * (width - 2) + 1
    pen.fillStyle = colour('gap')
    for (const [from, to] of gapsOf()) {
      pen.fillRect(x(from), 0, x(to) - x(from), count * 16)
    }
    for (let i = 0; i < calls.length; i += 1) {
      pen.fillStyle = colour(calls[i].status)
      pen.fillRect(
        x(starts[i]),
        lanes[i] * 16 + 2,
        Math.max(2, (calls[i].durationMs / span) * (width - 2)),
        12,
      )
    }
    pen.fillStyle = colour('soft')
    pen.font = '11px system-ui, sans-serif'
    for (let tick = 0; tick <= 4; tick += 1) {
      pen.textAlign = tick === 0 ? 'left' : tick === 4 ? 'right' : 'center'
      pen.fillText(ms((span * tick) / 4), (width - 2) * (tick / 4) + 1, count * 16 + 20)
    }
    for (const [from, to] of gapsOf()) {
      if (x(to) - x(from) < 90) continue
      pen.textAlign = 'center'
      pen.fillText(`idle ${ms(to - from)}`, (x(from) + x(to)) / 2, 12)
    }
  }

  function axisCard() {
    const canvas = el('canvas', {
      attributes: { role: 'img', 'aria-label': `${calls.length} calls over ${ms(span)}` },
    })
    const seen = [...new Set(calls.map((call) => call.status))]
    const legend = el(
      'div',
      { class: 'legend' },
      seen.map((status) =>
        el('span', {}, [
          el('span', { class: 'dot', colour: `var(--${status})` }),
          document.createTextNode(status),
        ]),
      ),
    )
    const draw = () => drawAxis(canvas)
    requestAnimationFrame(draw)
    window.addEventListener('resize', draw)
    window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
    return card('Time', [canvas, legend])
  }

  // --- lists -----------------------------------------------------------------------------------------------------
  function card(title, children) {
    return el('section', { class: 'card' }, [el('h2', { text: title }), ...children])
  }

  const decided = (call) =>
    call.decisions.find((d) => d.decision === 'deny') ??
    call.decisions.find((d) => d.decision === 'ask') ??
    call.decisions[0]
  const decisionText = (call) => {
    const decision = decided(call)
    if (!decision) return ''
    return [
      decision.observed ? `${decision.decision} (would ${decision.observed})` : decision.decision,
      decision.layer,
      decision.rule,
    ]
      .filter(Boolean)
      .join(' · ')
  }

  function attentionCard() {
    const order = { interrupted: 0, denied: 1, timeout: 2, error: 3, aborted: 4, invalid: 5 }
    const found = calls
      .filter((call) => call.status !== 'ok')
      .sort((a, b) => order[a.status] - order[b.status] || a.seq - b.seq)
    const rows = found
      .slice(0, 50)
      .map((call) =>
        row([
          number(call.seq),
          { node: statusCell(call.status) },
          call.tool,
          wide(call.summary),
          wide(decisionText(call)),
        ]),
      )
    const more =
      found.length > 50
        ? [el('p', { class: 'soft', text: `… and ${found.length - 50} more: filter the calls below.` })]
        : []
    return card('Refused, failed, interrupted', [
      table(['#No', 'Status', 'Tool', 'What was said', 'Decided by'], rows, 'Every call went well.'),
      ...more,
    ])
  }

  function quantile(sorted, q) {
    return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0
  }

  function toolsCard() {
    const byTool = new Map()
    for (const call of calls) byTool.set(call.tool, [...(byTool.get(call.tool) ?? []), call.durationMs])
    const stats = [...byTool].map(([tool, times]) => {
      const sorted = times.toSorted ? times.toSorted((a, b) => a - b) : [...times].sort((a, b) => a - b)
      return { tool, count: times.length, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95) }
    })
    stats.sort((a, b) => b.p95 - a.p95)
    return card('Slowest tools', [
      table(
        ['Tool', '#Calls', '#p50', '#p95'],
        stats.map((s) => row([s.tool, number(s.count), number(ms(s.p50)), number(ms(s.p95))])),
        'No calls.',
      ),
    ])
  }

  function leftCard() {
    const artifacts = data.artifacts
      .slice(0, 100)
      .map((a) => row([{ text: a.path, className: 'mono' }, number(`${a.bytes.toLocaleString('en')} B`)]))
    const waiting =
      data.memoryWaiting > 0
        ? el('p', {}, [
            document.createTextNode(`${data.memoryWaiting} memory candidates wait for review: `),
            el('code', { text: data.reviewCommand }),
          ])
        : el('p', { class: 'soft', text: 'No memory candidate waits.' })
    return card('Left behind', [table(['Artifact', '#Size'], artifacts, 'No artifacts.'), waiting])
  }

  function callsCard() {
    const options = (values, all) => [
      el('option', { text: all, attributes: { value: '' } }),
      ...values.map((value) => el('option', { text: value, attributes: { value } })),
    ]
    const select = (label, values, all) =>
      el('select', { attributes: { 'aria-label': label, 'data-filter': label } }, options(values, all))
    const distinct = (values) => [...new Set(values)].sort()
    const status = select('status', distinct(calls.map((c) => c.status)), 'every status')
    const tool = select('tool', distinct(calls.map((c) => c.tool)), 'every tool')
    const permission = select(
      'permission',
      distinct(calls.flatMap((c) => c.decisions.map((d) => d.permission))),
      'every permission',
    )
    const words = el('input', {
      attributes: { type: 'search', placeholder: 'words in the summary', 'aria-label': 'words' },
    })
    const count = el('span', { class: 'soft', attributes: { 'data-count': '' } })
    const list = el('div')
    let shown = PAGE

    const matching = () =>
      calls.filter(
        (call) =>
          (!status.value || call.status === status.value) &&
          (!tool.value || call.tool === tool.value) &&
          (!permission.value || call.decisions.some((d) => d.permission === permission.value)) &&
          (!words.value || call.summary.toLowerCase().includes(words.value.toLowerCase())),
      )

    function render() {
      const found = matching()
      count.textContent = `${found.length} of ${calls.length} calls`
      const rows = found.slice(0, shown).map(callRow)
      const more = el('button', { text: `Show ${Math.min(PAGE, found.length - shown)} more` })
      more.addEventListener('click', () => {
        shown += PAGE
        render()
      })
      list.replaceChildren(
        table(['#No', 'Time', 'Tool', 'Status', '#Took', 'Summary', 'Decided by'], rows, 'No call matches.'),
        ...(found.length > shown ? [more] : []),
      )
    }

    for (const control of [status, tool, permission, words])
      control.addEventListener('input', () => {
        shown = PAGE
        render()
      })
    render()
    return card('Calls', [el('div', { class: 'filters' }, [status, tool, permission, words, count]), list])
  }

  function callRow(call) {
    const line = row(
      [
        number(call.seq),
        { text: clock(call.startedAt), className: 'mono' },
        call.tool,
        { node: statusCell(call.status) },
        number(ms(call.durationMs)),
        wide(call.summary),
        wide(decisionText(call)),
      ],
      { class: 'call', attributes: { tabindex: '0' } },
    )
    const toggle = () => {
      const next = line.nextElementSibling
      if (next?.dataset.details) return next.remove()
      const cell = el('td', { attributes: { colspan: '7' } }, [
        el('pre', { class: 'mono', text: JSON.stringify(call, null, 2) }),
      ])
      const details = el('tr', { attributes: { 'data-details': '1' } }, [cell])
      line.after(details)
    }
    line.addEventListener('click', toggle)
    line.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') toggle()
    })
    return line
  }

  // --- the page --------------------------------------------------------------------------------------------------
  function tile(label, value, status) {
    return el('div', { class: 'tile' }, [
      el('b', { text: value, ...(status && { colour: `var(--${status})` }) }),
      el('span', { class: 'soft', text: label }),
    ])
  }

  const count = (status) => calls.filter((call) => call.status === status).length
  const chain = el('span', {
    class: `chain ${data.verification.ok ? 'good' : 'bad'}`,
    text: data.verification.text,
  })
  const head = el('header', {}, [
    el('h1', { text: `Run ${data.run.id}` }),
    el('p', {
      class: 'soft',
      text: [
        data.run.status,
        data.run.startedAt,
        data.run.actor && `for ${data.run.actor}`,
        data.run.mode === 'observe' && 'policy only observes',
      ]
        .filter(Boolean)
        .join(' · '),
    }),
    chain,
  ])
  const tiles = el('div', { class: 'tiles' }, [
    tile('calls', calls.length),
    tile('went well', count('ok'), 'ok'),
    tile('denied', count('denied'), count('denied') ? 'denied' : ''),
    tile('failed', count('error') + count('timeout') + count('interrupted'), count('error') ? 'error' : ''),
    tile('took', calls.length ? ms(span) : '–'),
    tile('memory waiting', data.memoryWaiting),
  ])
  const parts =
    calls.length > 0
      ? [axisCard(), attentionCard(), el('div', { class: 'two' }, [toolsCard(), leftCard()]), callsCard()]
      : [card('Calls', [el('p', { class: 'empty', text: 'This run has made no calls.' })])]
  document.querySelector('main').append(head, tiles, ...parts)
})()
