/** Polls the state of the sandbox and shows it. Text only ever becomes text: nothing of it is read as HTML. */
const pollMilliseconds = 1000;

const byId = (id) => document.getElementById(id);

function element(name, { text, className, children = [] } = {}) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  made.append(...children);
  return made;
}

/** What has not changed stays, so that a reader's place and selection stay too. */
function show(parent, children) {
  const fresh = element('div', { children });
  if (fresh.innerHTML !== parent.innerHTML) parent.replaceChildren(...fresh.childNodes);
}

const timeOf = (at) => new Date(at).toISOString().slice(11, 19);

const podItem = (pod) =>
  element('li', {
    text: pod.name,
    className: pod.terminating ? 'ending' : pod.ready ? '' : 'starting',
    children: [
      element('span', {
        className: 'quiet',
        text: pod.terminating ? ' ending' : pod.ready ? '' : ' starting',
      }),
    ],
  });

function nodeWords(node) {
  if (!node) return 'no node';
  const state = node.ready ? 'Ready' : 'NotReady';
  return `${node.name} · ${state}${node.cordoned ? ' · cordoned' : ''}`;
}

function instanceCard(instance, state) {
  const node = state.nodes.find(({ instanceId }) => instanceId === instance.instanceId);
  const pods = state.pods.filter(({ nodeName }) => node && nodeName === node.name);
  return element('article', {
    className: `instance ${instance.lifecycleState === 'InService' ? '' : 'busy'}`,
    children: [
      element('p', { className: 'state', text: instance.lifecycleState }),
      element('p', { children: [element('code', { text: instance.instanceId })] }),
      element('p', { className: 'quiet', text: `${instance.availabilityZone} · ${nodeWords(node)}` }),
      ...(node?.waitingFor ?? []).map((line) =>
        element('p', { className: 'waits', text: `waits for ${line}` }),
      ),
      element('ul', { className: 'pods', children: pods.map(podItem) }),
    ],
  });
}

function groupPart(group, state) {
  const instances = state.instances.filter(({ groupName }) => groupName === group.name);
  const size = `desired ${group.desiredCapacity}, from ${group.minSize} to ${group.maxSize}`;
  return element('div', {
    children: [
      element('h3', { text: `${group.name} `, children: [element('small', { text: size })] }),
      element('div', {
        className: 'instances',
        children: instances.map((instance) => instanceCard(instance, state)),
      }),
    ],
  });
}

const budgetItem = ({ namespace, name, healthy, desired, disruptionsAllowed }) =>
  element('li', {
    text: `${namespace}/${name}: ${healthy} healthy, ${desired} needed, ${disruptionsAllowed} may be evicted`,
  });

const lineItem = ({ at, speaker, text }) =>
  element('li', {
    className: speaker,
    children: [
      element('time', { text: timeOf(at) }),
      element('span', { text: speaker }),
      element('span', { text }),
    ],
  });

const nothing = (text) => element('li', { className: 'quiet', text });

function render(state) {
  byId('clock').textContent =
    `${new Date(state.at).toISOString().slice(0, 19)}Z${state.speed === 1 ? '' : ` · ${state.speed} times as fast`}`;
  show(
    byId('groups'),
    state.groups.map((group) => groupPart(group, state)),
  );
  const listOr = (items, empty) => (items.length > 0 ? items : [nothing(empty)]);
  show(byId('budgets'), listOr(state.budgets.map(budgetItem), 'none'));
  const homeless = state.pods.filter(({ nodeName }) => !nodeName).map(podItem);
  show(byId('unscheduled'), listOr(homeless, 'none: every pod has its place'));
  show(byId('lines'), listOr(state.lines.map(lineItem).reverse(), 'nothing yet'));
  const logs = state.logs.map(({ functionName, text }) => element('li', { text: `${functionName} ${text}` }));
  show(byId('logs'), listOr(logs.reverse(), 'nothing yet'));
}

async function poll() {
  try {
    const response = await fetch('/state.json');
    render(await response.json());
    byId('connection').textContent = '';
  } catch {
    byId('connection').textContent = 'The sandbox does not answer: has it ended?';
  }
  setTimeout(poll, pollMilliseconds);
}

await poll();
