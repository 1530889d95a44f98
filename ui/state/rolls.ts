/** A roll: the replacement of the nodes of groups, as plain JSON. */
export interface RollView {
  readonly name: string;
  /** In the words of `drover roll status`. */
  readonly state: RollStateName;
  /** What holds or has stopped it, or what it does. */
  readonly reason: string;
  /** When the state began. */
  readonly since?: number;
  /** People have paused it: otherwise it has paused by itself, and goes on by itself. */
  readonly isAskedToPause?: true;
  /** Absent if its parameter cannot be read. */
  readonly asked?: RollAskedView;
  readonly groups: readonly RollGroupView[];
  /** The nodes that something is happening to. */
  readonly moving: readonly RollNodeView[];
}

export type RollStateName =
  | 'starting'
  | 'running'
  | 'pausing'
  | 'paused'
  | 'resuming'
  | 'stopped'
  | 'aborting'
  | 'done'
  | 'aborted'
  | 'unreadable';

/** What people asked for. */
export interface RollAskedView {
  readonly startedAt: number;
  readonly by?: string;
  /** How many new nodes of each group carry pods first. */
  readonly canary: number;
  readonly bakeSeconds: number;
  /** The alarms that stop it. */
  readonly stopOn: readonly string[];
  readonly window?: string;
}

/** How far a roll is with a group. */
export interface RollGroupView {
  readonly autoScalingGroupName: string;
  /** Undefined if it was not read, or the roll has ended. */
  readonly progress?: {
    readonly old: number;
    readonly fresh: number;
    readonly leaving: number;
    readonly leftOut: number;
  };
}

export interface RollNodeView {
  readonly name: string;
  readonly autoScalingGroupName: string;
  readonly state: 'marked' | 'leaving' | 'launching';
  readonly why: string;
}

/** What people can ask of a roll. */
export type RollDeed = 'pause' | 'resume' | 'abort';

const ofState: Readonly<Record<RollStateName, readonly RollDeed[]>> = {
  starting: ['pause', 'abort'],
  running: ['pause', 'abort'],
  resuming: ['pause', 'abort'],
  pausing: ['resume', 'abort'],
  paused: ['resume', 'abort'],
  stopped: ['resume', 'abort'],
  aborting: [],
  done: [],
  aborted: [],
  unreadable: [],
};

/** What people can ask of it now. One that has paused by itself goes on once its cause is over, and not before. Pure. */
export const deedsOf = ({
  state,
  isAskedToPause,
}: Pick<RollView, 'state' | 'isAskedToPause'>): readonly RollDeed[] =>
  mayRetarget({ state, isAskedToPause }) ? ['abort'] : ofState[state];

/** What an operator does next about a roll that does not go on; undefined if it does, or has ended. Pure. */
export function nextOf({
  state,
  isAskedToPause,
}: Pick<RollView, 'state' | 'isAskedToPause'>): string | undefined {
  switch (state) {
    case 'paused':
      return isAskedToPause
        ? 'It replaces no further node until you resume it.'
        : 'It goes on by itself once this is over. If what a group launches has changed, let it begin again with that.';
    case 'stopped':
      return 'It replaces no further node. Change what stopped it and resume it, or abort it.';
    case 'unreadable':
      return 'It changes nothing. Correct its parameter, or delete it.';
    default:
      return undefined;
  }
}

/** Whether it may begin again with what its groups launch now: it has paused by itself, perhaps because that has changed. Pure. */
export const mayRetarget = ({ state, isAskedToPause }: Pick<RollView, 'state' | 'isAskedToPause'>): boolean =>
  state === 'paused' && !isAskedToPause;

/** Whether nothing is to be done for it any more. Pure. */
export const isOver = ({ state }: Pick<RollView, 'state'>): boolean =>
  state === 'done' || state === 'aborted';

/** How a roll looks: one that needs an operator, one that is paused, one that goes on. Pure. */
export function toneOf({ state }: Pick<RollView, 'state'>): 'bad' | 'held' | 'moving' {
  if (state === 'stopped' || state === 'unreadable') return 'bad';
  return state === 'paused' || state === 'pausing' ? 'held' : 'moving';
}
