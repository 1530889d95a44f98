import { Listr } from 'listr2';
import type { WaitingPod } from '../../shared/draining/settle.ts';
import { waitingLine } from '../../shared/draining/waiting-line.ts';
import type { Progress } from './progress.ts';
import { answerLine, leftLine } from './progress.ts';

interface Watched {
  output: string;
  title: string;
}

/** A task that a person watches: the last events below, the count above. */
export async function watchLive(
  nodeName: string,
  drain: (progress: Progress) => Promise<void>,
): Promise<void> {
  const list = new Listr(
    [
      {
        title: `Draining ${nodeName}`,
        task: async (_context, task) => await drain(liveProgress(nodeName, task)),
        rendererOptions: { outputBar: 8, persistentOutput: true },
      },
    ],
    { renderer: 'default', exitOnError: true, rendererOptions: { showErrorMessage: false } },
  );
  await list.run();
}

function liveProgress(nodeName: string, task: Watched): Progress {
  let left = 0;
  const say = (text: string | undefined): void => {
    if (text !== undefined) task.output = text;
  };
  const title = (pods: readonly WaitingPod[]): string => {
    const held = pods.filter(({ held }) => held).length;
    const parts = [`${left} gone`, `${pods.length} to go`, ...(held > 0 ? [`${held} held by a budget`] : [])];
    return `Draining ${nodeName}: ${parts.join(', ')}`;
  };
  return {
    cordoned: () => say('cordoned'),
    warned: (message) => say(`warning: ${message}`),
    planned: () => undefined,
    answered: (action, answer) => say(answerLine(action, answer)),
    left: (pod) => {
      left += 1;
      say(leftLine(pod));
    },
    waiting: (pods) => {
      task.title = title(pods);
      for (const pod of pods.filter(({ held }) => held)) say(`waiting for ${waitingLine(pod)}`);
    },
  };
}
