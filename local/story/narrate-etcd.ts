import type { EtcdMemberView, EtcdSightView } from './etcd-view.ts';
import { inWords, type Told } from './line.ts';

/** The changes of etcd between two views: first the records in DNS, then each member. */
export function narrateEtcd(before: EtcdSightView, after: EtcdSightView): readonly Told[] {
  const ids = new Set([...before.members, ...after.members].map(({ instanceId }) => instanceId));
  const memberIn = ({ members }: EtcdSightView, id: string): EtcdMemberView | undefined =>
    members.find(({ instanceId }) => instanceId === id);
  return [
    ...tellRecords(before, after),
    ...[...ids].flatMap((id) => {
      const [was, is] = [memberIn(before, id), memberIn(after, id)];
      return is ? tellMember(is, was) : tellEnd(was, after);
    }),
  ];
}

function tellRecords(before: EtcdSightView, { srvName, shown }: EtcdSightView): readonly Told[] {
  if (before.shown.join() === shown.join()) return [];
  if (shown.length === 0) return [['dns', `${srvName} is gone`]];
  const all = before.shown.length === 0 && shown.length > 1 ? ', all at once' : '';
  return [['dns', `${srvName} shows ${inWords(shown)}${all}`]];
}

/** A removed member stops within a second, which may pass between two views. */
function tellEnd(was: EtcdMemberView | undefined, { listed }: EtcdSightView): readonly Told[] {
  if (!was || was.standing === 'removed') return [];
  const { instanceId: id, clusterId } = was;
  return [
    ['etcd', listed.includes(id) ? `${id} stops running etcd` : `${id} is removed from cluster ${clusterId}`],
  ];
}

function tellMember(is: EtcdMemberView, was: EtcdMemberView | undefined): readonly Told[] {
  const { instanceId: id, clusterId, standing } = is;
  const starts = is.serves && !was?.serves;
  // Its unit restarts it until the instance terminates. Only the first time gets a line.
  if (standing === 'removed')
    return was && was.standing !== 'removed' ? [['etcd', `${id} is removed from cluster ${clusterId}`]] : [];
  if (standing === 'learner')
    return starts ? [['etcd', `${id} is a learner of cluster ${clusterId}: it has no vote yet`]] : [];
  if (was?.standing === 'learner') return [['etcd', `${id} is promoted: it votes in cluster ${clusterId}`]];
  return starts ? [['etcd', `${id} serves as a member of cluster ${clusterId}`]] : [];
}
