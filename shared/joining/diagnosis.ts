import type { Node } from 'kubernetes-types/core/v1.d.ts';
import type { Ec2Instance } from '../groups/ec2.ts';

interface DiagnosisInput {
  readonly ec2: Pick<Ec2Instance, 'state'> | undefined;
  /** What the pass waits for: the certificate requests with their verdicts, or the Node. */
  readonly reason: string;
  readonly node: Node | undefined;
  /** Undefined if it could not be read. */
  readonly console: ConsoleOutput | undefined;
}

/** Describes to the operator, step by step, what an instance has achieved on its way to a Ready Node. */
export const diagnose = ({ ec2, reason, node, console }: DiagnosisInput): readonly string[] => [
  ec2 ? `EC2 calls the instance ${ec2.state}` : 'EC2 does not know the instance',
  userDataStep[console?.userData ?? 'unread'],
  reason,
  ...(node ? conditionsOf(node) : []),
];

const userDataStep: Readonly<Record<ConsoleOutput['userData'] | 'unread', string>> = {
  unread: 'its console could not be read',
  unknown: 'its console has no output of cloud-init',
  running: 'according to its console, cloud-init has begun and not finished',
  finished: 'according to its console, cloud-init has finished',
  failed: 'cloud-init reports that its user data failed: the last lines of the console may show why',
};

/** The taints and the bad conditions of a Node: Ready if it is not True, and every other condition if it is not False. */
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

/** What the serial console of an instance shows about its boot. */
export interface ConsoleOutput {
  readonly userData: 'unknown' | 'running' | 'finished' | 'failed';
  /** The last lines, without anything that looks like a secret. */
  readonly lastLines: readonly string[];
}

const mostLines = 15;
const longestLine = 200;

/**
 * Reads the serial console. `clean` replaces anything in a text that looks like a secret.
 *
 * @param output from EC2. It may begin in the middle of a line or of a key.
 */
export function consoleOutputOf(output: string, clean: (text: string) => string): ConsoleOutput {
  const text = withoutKeys(withoutControls(output));
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  // Clean the line before it is cut: half of a secret does not look like one.
  const lastLines = lines
    .slice(-mostLines)
    .map((line) => clean(withoutUnnamedSecret(line)).slice(0, longestLine));
  return { userData: userDataOf(text), lastLines };
}

/** Control characters and escape sequences of terminals (ECMA-48). */
const controls = /(?!\n)\p{Cc}(?:\[[0-9;?]*[A-Za-z])?/gu;

const withoutControls = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(controls, ' ');

/** Replaces whole keys, the end of a key whose beginning EC2 no longer has, and the beginning of a key that is still being written. */
const withoutKeys = (text: string): string =>
  text
    .replace(/^(?:(?!-----BEGIN)[\s\S])*?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/, '[redacted]')
    .replaceAll(
      /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
      '[redacted]',
    );

/**
 * The name of a kubelet's certificate request, also after its resource. It ends in a hash of the public key (client-go,
 * `certificate/csr`, `digestedName`), and an operator needs it to find the request.
 */
const requestName = /^(?:[a-z]{1,30}\/)?node-csr-[\w-]{43}$/;

/**
 * Replaces keys, tokens and hashes that have no name, and the values of flags of commands. The instance chooses the text, so the name of a
 * flag begins a word: if it began at any dash, a line of dashes would take time that grows with the square of its length.
 */
const withoutUnnamedSecret = (line: string): string =>
  line
    .replaceAll(/(?<![\w+/-])(?=[\w+/-]*\d)[\w+/-]{40,}={0,2}(?![\w+/-])/g, (text) =>
      requestName.test(text) ? text : '[redacted]',
    )
    .replaceAll(/\b[0-9a-f]{32,}\b/gi, '[redacted]')
    .replaceAll(/((?<![\w-])\w*-[\w-]*?(?:password|passphrase|secret|token)[= ]+)\S+/gi, '$1[redacted]');

/** By the messages of cloud-init (canonical/cloud-init, `cloudinit/config/cc_final_message.py`, `cc_scripts_user.py`) and of systemd. */
function userDataOf(text: string): ConsoleOutput['userData'] {
  if (!/cloud-init|Cloud-init/.test(text)) return 'unknown';
  if (
    /Failed to run module scripts[-_]user|Running module scripts[-_]user .{0,200} failed|Failed to start .{0,200}[Cc]loud-init/.test(
      text,
    )
  )
    return 'failed';
  return /Cloud-init v\. \S+ finished at/.test(text) ? 'finished' : 'running';
}
