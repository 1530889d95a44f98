import type { EtcdMemberView } from './etcd-view.ts';
import { inWords } from './line.ts';
import type { Story, StoryParts } from './story.ts';
import type { GroupView, InstanceView, View } from './view.ts';

export interface EtcdStoryParts extends StoryParts {
  /** No other story is running: a member may be terminated. */
  readonly isQuiet: () => boolean;
}

/** Time to read how the cluster formed. */
const pauseSeconds = 5;

type Chapter =
  | { readonly kind: 'opening' }
  | { readonly kind: 'birth'; readonly since: number }
  | { readonly kind: 'serving'; readonly since?: number }
  | Replacement
  | { readonly kind: 'ended' };

interface Replacement {
  readonly kind: 'replacement';
  readonly instanceId: string;
  readonly since: number;
  /** The lowest number of serving voters at one moment, and the quorum at that moment. */
  readonly fewest: number;
  readonly quorum: number;
}

/** Members of etcd form a cluster from the records. Then one of them leaves, and the story ends when it is replaced. */
export function createEtcdStory({ say, terminate, isQuiet }: EtcdStoryParts): Story {
  let chapter: Chapter = { kind: 'opening' };

  const send = (view: View): Chapter => {
    const leaver = follower(view);
    // The only member is the leader and stays.
    if (!leaver) return { kind: 'ended' };
    for (const text of farewell(leaver)) say(text);
    terminate(leaver.instanceId);
    const { instanceId } = leaver;
    return {
      kind: 'replacement',
      instanceId,
      since: view.at,
      ...votesIn(view),
      fewest: Number.POSITIVE_INFINITY,
    };
  };
  const next = (view: View): Chapter => {
    switch (chapter.kind) {
      case 'opening':
        if (membersWanted(view) === 0) return chapter;
        if (isWhole(view)) return { kind: 'serving' };
        say(opening(view));
        return { kind: 'birth', since: view.at };
      case 'birth':
        if (!isWhole(view)) return chapter;
        say(birth(view, chapter.since));
        return { kind: 'serving' };
      case 'serving':
        if (!isQuiet() || !isWhole(view)) return { kind: 'serving' };
        if (chapter.since === undefined) return { kind: 'serving', since: view.at };
        return view.at - chapter.since >= pauseSeconds * 1000 ? send(view) : chapter;
      case 'replacement': {
        const seen = withFewest(chapter, view);
        const isOver = isWhole(view) && !view.etcd.shown.includes(seen.instanceId);
        if (!isOver) return seen;
        for (const text of ending(view, seen)) say(text);
        return { kind: 'ended' };
      }
      case 'ended':
        return chapter;
    }
  };
  return {
    look: (view) => {
      chapter = next(view);
    },
    hasEnded: () => chapter.kind === 'ended',
  };
}

/** In the sandbox a control plane has its etcd on its own instances. */
const hasMembers = ({ role }: GroupView): boolean => role === 'etcd' || role === 'control-plane';

const membersWanted = ({ groups }: View): number =>
  groups.filter(hasMembers).reduce((sum, { desiredCapacity }) => sum + desiredCapacity, 0);

function etcdInstances({ groups, instances }: View): readonly InstanceView[] {
  const names = new Set(groups.filter(hasMembers).map(({ name }) => name));
  return instances.filter(({ groupName }) => names.has(groupName));
}

const inService = (view: View): readonly InstanceView[] =>
  etcdInstances(view).filter(({ lifecycleState }) => lifecycleState === 'InService');

/** Not the leader: without it the others would first elect another, and Drover would wait for that. */
function follower(view: View): InstanceView | undefined {
  const leaders = view.etcd.members.filter(({ leads }) => leads).map(({ instanceId }) => instanceId);
  return inService(view).find(({ instanceId }) => !leaders.includes(instanceId));
}

const voting = ({ etcd }: View): readonly EtcdMemberView[] =>
  etcd.members.filter(({ serves, standing }) => serves && standing === 'voter');

/** The desired number of members is in service, votes in one cluster, and equals the records in DNS. */
export function isWhole(view: View): boolean {
  const wanted = membersWanted(view);
  const votes = voting(view).map(({ instanceId }) => instanceId);
  const served = inService(view).map(({ instanceId }) => instanceId);
  return (
    wanted > 0 &&
    etcdInstances(view).length === wanted &&
    new Set(voting(view).map(({ clusterId }) => clusterId)).size === 1 &&
    [votes, served].every((ids) => ids.toSorted().join() === view.etcd.shown.join()) &&
    served.length === wanted
  );
}

function votesIn(view: View): { readonly fewest: number; readonly quorum: number } {
  const votes = voting(view);
  const voters = Math.max(0, ...votes.map((member) => member.voters));
  return { fewest: votes.length, quorum: Math.floor(voters / 2) + 1 };
}

function withFewest(replacement: Replacement, view: View): Replacement {
  const now = votesIn(view);
  return now.fewest < replacement.fewest ? { ...replacement, ...now } : replacement;
}

const secondsSince = (view: View, since: number): number => Math.round((view.at - since) / 1000);

const clusterIn = (view: View): string => voting(view)[0]?.clusterId ?? '';

const opening = (view: View): string =>
  `${membersWanted(view)} members of etcd will form a cluster and find one another by DNS. Drover publishes their records only once it knows all of them; otherwise two clusters could form.`;

const birth = (view: View, since: number): string =>
  `${inWords(view.etcd.shown)} have formed cluster ${clusterIn(view)} from the records after ${secondsSince(view, since)} s. Later members join it.`;

const farewell = ({ instanceId }: InstanceView): readonly string[] => [
  `${instanceId}, a member of etcd, will be terminated. Drover first removes it from the cluster, then adds its replacement. The same as:`,
  `  aws autoscaling terminate-instance-in-auto-scaling-group --instance-id ${instanceId} --no-should-decrement-desired-capacity`,
];

function ending(view: View, { instanceId, since, fewest, quorum }: Replacement): readonly string[] {
  const lost = fewest < quorum ? 'QUORUM WAS LOST' : `a quorum is ${quorum}`;
  return [
    `${instanceId} is replaced, after ${secondsSince(view, since)} s; it is still cluster ${clusterIn(view)}. There were never fewer than ${fewest} members that vote: ${lost}.`,
  ];
}
