import { shortNodeName } from '../story/line.ts';
import type { InstanceView, View } from '../story/view.ts';
import { keysRow } from './keys/press.ts';
import { fit, type Look, paint } from './text.ts';

/** The number of instances in the panel. It must leave room for the lines above. */
const maximumInstances = 8;

/** The panel at the foot of a terminal: each instance with its node and pods, the budgets, and the keys if there are any. */
export function renderPanel(view: View, look: Look, hasKeys = false): readonly string[] {
  const shown = view.instances.slice(0, maximumInstances);
  const more = view.instances.length - shown.length;
  const rows = [
    '─'.repeat(Math.min(look.columns, 78)),
    ...shown.map((instance) => instanceRow(view, instance)),
    ...(more > 0 ? [`  and ${more} more instances`] : []),
    ...view.budgets.map(
      ({ name, healthy, desired, disruptionsAllowed }) =>
        `  budget ${name}: ${healthy} healthy, ${desired} needed, ${disruptionsAllowed === 0 ? 'none' : disruptionsAllowed} may be evicted`,
    ),
    hasKeys ? keysRow : '  Ctrl-C ends the sandbox',
  ];
  return rows.map((row) => styled(fit(row, look.columns), look));
}

function instanceRow(view: View, { instanceId, lifecycleState }: InstanceView): string {
  const node = view.nodes.find((one) => one.instanceId === instanceId);
  const pods = view.pods.filter(({ nodeName, daemon }) => node && nodeName === node.name && !daemon);
  const state = `${lifecycleState.startsWith('InService') ? '●' : '◐'} ${lifecycleState.padEnd(19)}`;
  const where = (node ? shortNodeName(node.name) : (etcdOn(view, instanceId) ?? 'no node')).padEnd(14);
  const ready = !node ? '' : node.cordoned ? 'cordoned' : node.ready ? 'Ready' : 'NotReady';
  const count = node ? `${pods.length} pod${pods.length === 1 ? '' : 's'}` : '';
  return `${state} ${where} ${ready.padEnd(8)} ${count.padEnd(7)} ${instanceId}`;
}

/** For example `etcd voter`, if a member runs there. */
function etcdOn({ etcd }: View, instanceId: string): string | undefined {
  const member = etcd.members.find((one) => one.instanceId === instanceId);
  return member && `etcd ${member.standing}`;
}

function styled(row: string, look: Look): string {
  if (row.startsWith('●')) return paint('green', row, look);
  if (row.startsWith('◐')) return paint('yellow', row, look);
  return paint('dim', row, look);
}
