import { Listr } from 'listr2';
import { describeWaitingPod, type WaitingPod } from '../../shared/draining/drain-progress.ts';
import { oneLine } from '../plain-text.ts';
import type { Progress } from './progress.ts';
import { answerLine, leftLine } from './progress.ts';

interface Watched {
  output: string;
  title: string;
}

/** Shows a task on a terminal: the count above, the last events below. */
export async function watchLive(
  nodeName: string,
  drain: (progress: Progress) => Promise<void>,
): Promise<void> {
  const list = new Listr(
    [
      {
        title: `Draining ${oneLine(nodeName)}`,
        task: async (_context, task) => {
          const progress = liveProgress(nodeName, task);
          await drain(progress);
          progress.drained();
        },
        rendererOptions: { outputBar: 8, persistentOutput: true },
      },
    ],
    {
      renderer: 'default',
      exitOnError: true,
      // The command itself ends at Ctrl-C.
      registerSignalListeners: false,
      rendererOptions: { showErrorMessage: false },
    },
  );
  await list.run();
}

interface LiveProgress extends Progress {
  /** The drain has succeeded. */
  drained(): void;
}

/** The progress of a drain as lines of a task; each line is printed once. */
export function liveProgress(nodeName: string, task: Watched): LiveProgress {
  let left = 0;
  const said = new Set<string>();
  const say = (text: string | undefined): void => {
    if (text === undefined || said.has(text)) return;
    said.add(text);
    task.output = oneLine(text);
  };
  return {
    cordoned: () => say('cordoned'),
    warned: (message) => say(`warning: ${message}`),
    planned: () => undefined,
    answered: (action, answer) => say(answer.kind === 'held' ? undefined : answerLine(action, answer)),
    left: (pod) => {
      left += 1;
      say(leftLine(pod));
    },
    waiting: (pods) => {
      task.title = `Draining ${oneLine(nodeName)}: ${countsOf(left, pods)}`;
      for (const pod of pods.filter(({ held, keepsDevices }) => held || keepsDevices))
        say(`waiting for ${describeWaitingPod(pod)}`);
    },
    drained: () => {
      task.title = `Drained ${oneLine(nodeName)}: ${left} gone`;
    },
  };
}

function countsOf(left: number, pods: readonly WaitingPod[]): string {
  const held = pods.filter((pod) => pod.held).length;
  return [`${left} gone`, `${pods.length} to go`, ...(held > 0 ? [`${held} held`] : [])].join(', ');
}
