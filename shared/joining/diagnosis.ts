import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../groups/ec2.ts';
import type { ConsoleOutput } from './console-output.ts';

export interface DiagnosisInput {
  readonly ec2: Pick<Ec2Instance, 'state'> | undefined;
  /** What the pass waits for: certificate requests and their verdicts, or the Node. */
  readonly reason: string;
  readonly node: Node | undefined;
  /** Undefined where EC2 could not be asked. */
  readonly console: ConsoleOutput | undefined;
}

/** What an instance has achieved on its way to a Ready Node, step by step, in words for an operator. Pure. */
export const diagnose = ({ ec2, reason, node, console }: DiagnosisInput): readonly string[] => [
  ec2 ? `EC2 calls the instance ${ec2.state}` : 'EC2 does not know the instance',
  userDataWords[console?.userData ?? 'unread'],
  reason,
  ...(node ? conditionsOf(node) : []),
];

const userDataWords: Readonly<Record<ConsoleOutput['userData'] | 'unread', string>> = {
  unread: 'its console could not be read',
  unknown: 'its console says nothing of cloud-init',
  running: 'cloud-init has begun and not finished, as its console says',
  finished: 'cloud-init has finished, as its console says',
  failed: 'cloud-init says that its user data failed: the last lines of the console may say why',
};

/** Ready is good where it is True, and every other condition of a Node where it is False. */
function conditionsOf({ status, spec }: Node): readonly string[] {
  const bad = (status?.conditions ?? []).filter(
    (condition) => condition.status !== (condition.type === 'Ready' ? 'True' : 'False'),
  );
  return [
    ...bad.map(({ type, status: value, reason = '', message = '' }) =>
      `its condition ${type} is ${value}: ${reason} ${message}`.trim(),
    ),
    ...(spec?.taints ?? []).map(({ key, effect }) => `it has the taint ${key}:${effect}`),
  ];
}
