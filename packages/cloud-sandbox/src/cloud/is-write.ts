import { attributesOfCall } from '../kubernetes/refusals.ts';
import { isVirtualGroup } from '../kubernetes/resources/virtual.ts';
import type { CallInFlight } from './strike.ts';

const awsReads = /^\S+ (?:Describe|Get|List|Head|Receive)/;
const kubernetesReads: ReadonlySet<string> = new Set(['get', 'list', 'watch', 'head', 'options']);
const etcdReads = /^GET |\/v3\/(?:cluster\/member\/list|kv\/range|maintenance\/(?:status|snapshot))/;

/** Whether a call changes something: what fails on a server that is half away. A review of rights changes nothing. */
export function isWrite({ to, what }: Pick<CallInFlight, 'to' | 'what'>): boolean {
  if (to === 'aws') return !awsReads.test(what);
  if (to === 'etcd') return !etcdReads.test(what);
  const attributes = attributesOfCall(what);
  if ('group' in attributes && isVirtualGroup(attributes.group)) return false;
  return !kubernetesReads.has(attributes.verb);
}
