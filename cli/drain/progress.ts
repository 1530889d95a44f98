import { describeWaitingPod, type WaitingPod } from '../../shared/draining/drain-progress.ts';
import type { ActionAnswer } from '../../shared/draining/evict-pods.ts';
import type { DrainAction, DrainPlan } from '../../shared/draining/plan-drain.ts';
import type { PodIdentity } from '../../shared/nodes/cluster.ts';
import { jsonLine } from '../json-text.ts';
import type { Output } from '../output.ts';
import { oneLine } from '../plain-text.ts';

/** Receives what happens in a drain. */
export interface Progress {
  cordoned(nodeName: string): void;
  warned(message: string): void;
  planned(plan: DrainPlan): void;
  answered(action: DrainAction, answer: ActionAnswer): void;
  left(pod: PodIdentity): void;
  waiting(pods: readonly WaitingPod[]): void;
}

const nameOf = ({ namespace, name }: PodIdentity): string => `${namespace}/${name}`;

/** One line for an answer; undefined if there is nothing to report. */
export function answerLine({ kind, pod }: DrainAction, answer: ActionAnswer): string | undefined {
  if ('message' in answer) return `${nameOf(pod)} cannot be evicted now: ${answer.message}`;
  if (answer.kind === 'gone') return undefined;
  return `${kind === 'evict' ? 'evicting' : 'deleting'} pod ${nameOf(pod)}`;
}

export const leftLine = (pod: PodIdentity): string => `pod ${nameOf(pod)} is gone`;

/** Prints lines as they come, each once: for pipes, logs, and `tee`. */
export function plainProgress(stdout: Output, stderr: Output): Progress {
  const said = new Set<string>();
  const once = (output: Output, text: string | undefined): void => {
    if (text === undefined || said.has(text)) return;
    said.add(text);
    output.write(`${oneLine(text)}\n`);
  };
  return {
    cordoned: (nodeName) => once(stdout, `node ${nodeName} is cordoned`),
    warned: (message) => once(stderr, `warning: ${message}`),
    planned: () => undefined,
    answered: (action, answer) => once('message' in answer ? stderr : stdout, answerLine(action, answer)),
    left: (pod) => once(stdout, leftLine(pod)),
    waiting: (pods) => {
      for (const pod of pods.filter(({ held, keepsDevices }) => held || keepsDevices))
        once(stdout, `waiting for ${describeWaitingPod(pod)}`);
    },
  };
}

/** One JSON object per line, the plan first. */
export function jsonProgress(stdout: Output, planToJson: (plan: DrainPlan) => object): Progress {
  const write = (event: string, fields: object): void => stdout.write(jsonLine({ event, ...fields }));
  let planned = false;
  return {
    cordoned: (node) => write('cordoned', { node }),
    warned: (message) => write('warning', { message }),
    planned: (plan) => {
      if (!planned) write('plan', planToJson(plan));
      planned = true;
    },
    answered: ({ kind, pod }, { kind: answer, ...rest }) =>
      write('answer', { action: kind, ...pod, answer, ...rest }),
    left: (pod) => write('gone', { namespace: pod.namespace, name: pod.name, uid: pod.uid }),
    waiting: (pods) => write('waiting', { pods: pods.map(describeWaitingPod) }),
  };
}
