/**
 * The page's one script: it asks for the fragment whenever the server tells of a change, and fits the page to it node
 * by node, so that focus, selection, scrolling and unfolded details stay. It has no template: all markup is the server's.
 */
export const pageScript = `
'use strict';
(() => {
  const root = document.documentElement;
  const main = document.querySelector('main');
  const connection = document.getElementById('connection');
  const announcement = document.getElementById('announcement');
  const icon = document.querySelector('link[rel=icon]');
  root.classList.add('js');

  // Fitting the page to a fragment

  const keyOf = (node) => (node.nodeType === 1 ? node.getAttribute('data-key') : null);
  const isAlike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

  // The reader unfolds details, and what is new stands out for a while: neither is the server's to say.
  const ownAttributes = ['open', 'data-fresh'];

  function fitAttributes(from, to) {
    for (const { name } of [...from.attributes]) {
      if (!ownAttributes.includes(name) && !to.hasAttribute(name)) from.removeAttribute(name);
    }
    for (const { name, value } of to.attributes) {
      if (from.getAttribute(name) !== value) from.setAttribute(name, value);
    }
  }

  function matchOf(wanted, next) {
    if (keyOf(wanted) === null) return next && isAlike(next, wanted) ? next : null;
    for (let node = next; node; node = node.nextSibling) if (isAlike(node, wanted)) return node;
    return null;
  }

  function fit(from, to) {
    if (from.nodeType !== 1) {
      if (from.data !== to.data) from.data = to.data;
      return;
    }
    fitAttributes(from, to);
    // Its text is told by tell().
    if (from.nodeName === 'TIME') return;
    let next = from.firstChild;
    for (const wanted of [...to.childNodes]) {
      const match = matchOf(wanted, next);
      if (match === null) {
        const fresh = from.insertBefore(document.importNode(wanted, true), next);
        if (keyOf(fresh) !== null) fresh.setAttribute('data-fresh', '');
        continue;
      }
      if (match === next) next = next.nextSibling;
      else from.insertBefore(match, next);
      fit(match, wanted);
    }
    while (next) {
      const gone = next;
      next = next.nextSibling;
      gone.remove();
    }
  }

  // Times in the reader's zone, and ages that count

  const pad = (number) => String(number).padStart(2, '0');
  const dayOf = (date) => date.getFullYear() + '-' + pad(date.getMonth() + 1) + '-' + pad(date.getDate());
  let aheadMs = 0;

  function ageText(seconds) {
    if (seconds < 1) return 'just now';
    if (seconds < 120) return seconds + 's ago';
    if (seconds < 7200) return Math.floor(seconds / 60) + 'm ago';
    if (seconds < 172800) return Math.floor(seconds / 3600) + 'h ago';
    return Math.floor(seconds / 86400) + 'd ago';
  }

  function clockText(date, now) {
    const clock = pad(date.getHours()) + ':' + pad(date.getMinutes()) + ':' + pad(date.getSeconds());
    return dayOf(date) === dayOf(now) ? clock : dayOf(date) + ' ' + clock;
  }

  function tell() {
    const now = new Date(Date.now() + aheadMs);
    for (const element of document.querySelectorAll('time')) {
      const date = new Date(element.dateTime);
      const isAge = element.dataset.form === 'age';
      const text = isAge ? ageText(Math.floor((now - date) / 1000)) : clockText(date, now);
      if (element.textContent !== text) element.textContent = text;
    }
  }

  const icons = { good: '#2da160', busy: '#2f81d8', warn: '#d29922', held: '#8957e5', bad: '#d83a30', idle: '#8a939d' };

  function took() {
    const { now, title, tone } = document.getElementById('fleet').dataset;
    aheadMs = Date.parse(now) - Date.now();
    document.title = title;
    const color = encodeURIComponent(icons[tone] || icons.idle);
    icon.href = 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">' +
      '<circle cx="8" cy="8" r="6" fill="' + color + '"/></svg>';
    document.getElementById('zone').textContent = Intl.DateTimeFormat().resolvedOptions().timeZone || 'local time';
    tell();
  }

  // The connection

  let source = null;
  let failures = 0;
  let reconnect = 0;
  let isAsking = false;
  let isOutdated = false;

  function show(state, text) {
    connection.dataset.state = state;
    if (connection.textContent !== text) connection.textContent = text;
    root.classList.toggle('lost', state === 'lost');
  }

  function lost() {
    if (source) source.close();
    source = null;
    show('lost', 'disconnected, retrying; shown is what was known last');
    clearTimeout(reconnect);
    failures += 1;
    reconnect = setTimeout(connect, Math.min(15000, 500 * 2 ** failures) * (0.5 + Math.random() / 2));
  }

  function connect() {
    clearTimeout(reconnect);
    if (source) source.close();
    source = new EventSource('api/v1/events');
    source.onopen = refresh;
    source.onerror = lost;
    source.addEventListener('changed', refresh);
  }

  async function refresh() {
    if (isAsking) {
      isOutdated = true;
      return;
    }
    isAsking = true;
    try {
      const response = await fetch('fragment', { cache: 'no-store', signal: AbortSignal.timeout(10000) });
      if (!response.ok) throw new Error('HTTP ' + response.status);
      const wanted = new DOMParser().parseFromString(await response.text(), 'text/html').getElementById('fleet');
      fit(document.getElementById('fleet'), wanted);
      took();
      failures = 0;
      if (source) show('live', 'live');
    } catch {
      lost();
    } finally {
      isAsking = false;
      if (isOutdated) {
        isOutdated = false;
        setTimeout(refresh, 100);
      }
    }
  }

  // A browser allows few connections to one server: a page that nobody looks at gives its stream back, and asks rarely.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) connect();
    else if (source) {
      source.close();
      source = null;
    }
  });
  setInterval(() => {
    if (document.hidden || source) void refresh();
  }, 15000);
  setInterval(tell, 1000);

  main.addEventListener('animationend', ({ target }) => target.removeAttribute('data-fresh'));

  main.addEventListener('click', async ({ target }) => {
    const button = target.closest('.copy');
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      announcement.textContent = 'Copied';
      button.textContent = 'Copied';
    } catch {
      getSelection().selectAllChildren(button.previousElementSibling);
      announcement.textContent = 'Selected; copy with the keyboard';
      button.textContent = 'Selected';
    }
    setTimeout(() => {
      announcement.textContent = '';
      button.textContent = 'Copy';
    }, 2000);
  });

  took();
  connect();
})();
`;
