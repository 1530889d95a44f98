import type { SimulationClock } from '../simulation/clock.ts';
import type { Random } from '../simulation/random.ts';
import { byId } from './ids.ts';

/** A member as the cluster's own state has it. */
export interface MemberRecord {
  readonly id: string;
  readonly name: string;
  readonly peerUrls: readonly string[];
  readonly clientUrls: readonly string[];
  readonly isLearner: boolean;
}

/** The state that the members of one cluster agree on. There are no partitions: running members reach each other. */
export interface Quorum {
  readonly id: string;
  readonly token: string;
  /** Ordered by id, as etcd lists them. */
  members(): readonly MemberRecord[];
  isRemoved(id: string): boolean;
  term(): number;
  /** How far the log has come. */
  index(): number;
  revision(): number;
  /** The id of the leader; undefined while there is none. */
  leader(): string | undefined;
  /** Whether the leader knows how far the log of this member goes: it has heard of it since it leads. */
  knows(id: string): boolean;
  /** The member has taken in what the leader sent. */
  follow(id: string): void;
  /** By their keys, base64 both. */
  values(): ReadonlyMap<string, string>;
  /** Only while there is a leader. */
  put(key: string, value: string): void;
  change(change: MembershipChange): void;
  alarms(): readonly Alarm[];
  raise(alarm: Alarm): void;
  disarm(alarm: Alarm): void;
  /** A member was started, stopped, added or removed. */
  review(): void;
}

/** An alarm, which lasts until an operator disarms it. */
export interface Alarm {
  readonly memberId: string;
  readonly alarm: 'NOSPACE' | 'CORRUPT';
}

export type MembershipChange =
  | { readonly kind: 'put'; readonly member: MemberRecord }
  | { readonly kind: 'remove'; readonly id: string };

/** The keys, base64 with their values, and how often one was written. */
export interface QuorumContent {
  readonly revision: number;
  readonly values: Readonly<Record<string, string>>;
}

export interface QuorumOptions {
  readonly id: string;
  readonly token: string;
  readonly members: readonly MemberRecord[];
  /** What a snapshot has brought along; default: nothing. */
  readonly content?: QuorumContent;
  readonly clock: SimulationClock;
  readonly random: Random;
  readonly isRunning: (memberId: string) => boolean;
  /** A leader was elected, or a member removed. Waiting callers check again. */
  readonly onChange: () => void;
}

/** etcd's default election timeout is 1 s. The first candidate is random. */
const electionMilliseconds = { minimum: 1000, maximum: 1900 } as const;

export function createQuorum(options: QuorumOptions): Quorum {
  const { clock, random, isRunning, onChange } = options;
  const members = new Map(options.members.map((member) => [member.id, member]));
  const removed = new Set<string>();
  const alarms = new Map<string, Alarm>();
  const { content = { revision: 1, values: {} } } = options;
  const values = new Map(Object.entries(content.values));
  /** The term in which the leader last heard of each. */
  const followed = new Map<string, number>();
  // Every first member is an entry of the log, and so is the first leader's.
  const state = {
    term: 1,
    index: options.members.length + 1,
    revision: content.revision,
    leader: undefined as string | undefined,
  };
  let election: { cancel(): void } | undefined;

  const voters = (): readonly MemberRecord[] => [...members.values()].filter(({ isLearner }) => !isLearner);
  const candidates = (): readonly MemberRecord[] => voters().filter(({ id }) => isRunning(id));
  const hasQuorum = (): boolean => candidates().length > voters().length / 2;
  const elect = (): void => {
    election = undefined;
    if (!hasQuorum()) return;
    state.leader = random.pick(candidates()).id;
    state.term += 1;
    state.index += 1;
    for (const id of members.keys()) if (isRunning(id)) followed.set(id, state.term);
    onChange();
  };
  const review = (): void => {
    const { leader } = state;
    const keeps = leader !== undefined && hasQuorum() && candidates().some(({ id }) => id === leader);
    if (!keeps) state.leader = undefined;
    if (keeps || !hasQuorum()) {
      election?.cancel();
      election = undefined;
      return;
    }
    const { minimum, maximum } = electionMilliseconds;
    election ??= clock.after(random.integer(minimum, maximum), elect);
  };
  return {
    id: options.id,
    token: options.token,
    members: () => [...members.values()].sort((one, other) => byId(one.id, other.id)),
    isRemoved: (id) => removed.has(id),
    term: () => state.term,
    index: () => state.index,
    revision: () => state.revision,
    leader: () => state.leader,
    knows: (id) => state.leader !== undefined && followed.get(id) === state.term,
    follow: (id) => followed.set(id, state.term),
    values: () => values,
    put: (key, value) => {
      values.set(key, value);
      state.revision += 1;
      state.index += 1;
    },
    alarms: () => [...alarms.values()],
    raise: (alarm) => alarms.set(`${alarm.memberId} ${alarm.alarm}`, alarm),
    disarm: ({ memberId, alarm }) => alarms.delete(`${memberId} ${alarm}`),
    change: (change) => {
      state.index += 1;
      if (change.kind === 'put') members.set(change.member.id, change.member);
      else {
        members.delete(change.id);
        removed.add(change.id);
      }
      review();
      onChange();
    },
    review,
  };
}
