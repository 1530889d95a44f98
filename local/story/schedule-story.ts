import { type OneTimeSchedule, timeOf } from './put-schedule.ts';
import type { Story, StoryParts } from './story.ts';
import type { GroupView, View } from './view.ts';

export interface ScheduleStoryParts extends Pick<StoryParts, 'say'> {
  readonly putSchedule: (schedule: OneTimeSchedule) => void;
  /** Whether the story before this one has ended. */
  readonly isQuiet: () => boolean;
}

/** `prewarm` looks once a minute, and a node takes another one. */
const leadMinutes = 3;
const heldMinutes = 2;
const minute = 60_000;

/** What the schedule is about. */
interface Sale {
  readonly groupName: string;
  readonly nodes: number;
  readonly base: number;
  readonly at: number;
}

type Chapter =
  | { readonly kind: 'waiting' }
  | ({ readonly kind: 'scheduled' | 'raised' | 'met' } & Sale)
  | { readonly kind: 'ended' };

/** One more worker is needed at a minute, and is Ready by then. The story ends when MinSize is what it was. */
export function createScheduleStory({ say, putSchedule, isQuiet }: ScheduleStoryParts): Story {
  let chapter: Chapter = { kind: 'waiting' };

  const begin = (view: View): Chapter => {
    const group = workersIn(view);
    if (!group) return { kind: 'ended' };
    const sale: Sale = {
      groupName: group.name,
      nodes: group.desiredCapacity + 1,
      base: group.minSize,
      at: Math.ceil((view.at + (leadMinutes + 0.5) * minute) / minute) * minute,
    };
    const { groupName, nodes, at } = sale;
    say(
      `A sale begins at ${clockTime(at)}, and takes ${nodes} workers. A schedule has them Ready at that minute, not only started:`,
    );
    say(
      `  npx --no -- drover schedule create ${groupName} ${nodes} --name sale --at ${timeOf(at)} --for ${heldMinutes}m --lead ${leadMinutes}m`,
    );
    putSchedule({
      name: 'sale',
      at,
      definition: {
        autoScalingGroupName: groupName,
        nodes,
        durationSeconds: heldMinutes * 60,
        lead: leadMinutes * 60,
        exceptions: [],
        raiseMaxSize: false,
      },
    });
    return { kind: 'scheduled', ...sale };
  };

  const follow = (view: View, held: Extract<Chapter, Sale>): Chapter => {
    const { kind, nodes, base, at } = held;
    const minSize = workersIn(view)?.minSize ?? base;
    if (kind === 'scheduled') {
      if (minSize < nodes) return held;
      say(
        `MinSize is ${nodes} ahead of ${clockTime(at)}: the schedule has made a hold, ${leadMinutes} minutes before.`,
      );
      return { ...held, kind: 'raised' };
    }
    if (kind === 'raised') {
      if (readyNodes(view, held) < nodes) return held;
      const ahead = Math.round((at - view.at) / 1000);
      say(
        `${nodes} workers are Ready${ahead > 0 ? `, ${ahead} s before ${clockTime(at)}` : ''}. The hold ends by itself at ${clockTime(at + heldMinutes * minute)}.`,
      );
      return { ...held, kind: 'met' };
    }
    if (view.at < at + heldMinutes * minute || minSize !== base) return held;
    say(
      `The hold has ended, and MinSize is ${base} again. No node was terminated for it: that is for an autoscaler.`,
    );
    return { kind: 'ended' };
  };

  return {
    look: (view) => {
      if (chapter.kind === 'waiting') chapter = isQuiet() ? begin(view) : chapter;
      else if (chapter.kind !== 'ended') chapter = follow(view, chapter);
    },
    hasEnded: () => chapter.kind === 'ended',
  };
}

const clockTime = (at: number): string => `${new Date(at).toISOString().slice(11, 16)} UTC`;

const workersIn = ({ groups }: View): GroupView | undefined => groups.find(({ role }) => role === 'worker');

function readyNodes({ instances, nodes }: View, { groupName }: Sale): number {
  const ready = new Set(
    nodes.filter((node) => node.ready && !node.cordoned).map(({ instanceId }) => instanceId),
  );
  return instances.filter(
    (instance) =>
      instance.groupName === groupName &&
      instance.lifecycleState === 'InService' &&
      ready.has(instance.instanceId),
  ).length;
}
