/** What the serial console of an instance tells of its boot. */
export interface ConsoleOutput {
  readonly userData: 'unknown' | 'running' | 'finished' | 'failed';
  /** The last lines, without what looks like a secret. */
  readonly lastLines: readonly string[];
}

const mostLines = 15;
const longestLine = 200;

/**
 * Reads the serial console. Pure; `clean` replaces what looks like a secret in a text.
 *
 * @param output as EC2 has it: it may begin in the middle of a line, or of a key.
 */
export function consoleOutputOf(output: string, clean: (text: string) => string): ConsoleOutput {
  const text = withoutKeys(withoutControls(output));
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(withoutUnnamedSecret);
  // A line that is cut first may end in half of a secret, which looks like none.
  const lastLines = lines.slice(-mostLines).map((line) => clean(line).slice(0, longestLine));
  return { userData: userDataOf(text), lastLines };
}

/** Control characters, and the colours and movements that one of them begins (ECMA-48). */
const controls = /(?!\n)\p{Cc}(?:\[[0-9;?]*[A-Za-z])?/gu;

const withoutControls = (text: string): string => text.replaceAll('\r\n', '\n').replaceAll(controls, ' ');

/** Whole keys, the end of one whose beginning EC2 no longer has, and the beginning of one that is still written. */
const withoutKeys = (text: string): string =>
  text
    .replace(/^(?:(?!-----BEGIN)[\s\S])*?-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----/, '[redacted]')
    .replaceAll(
      /-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
      '[redacted]',
    );

/** What nothing names: keys, tokens and hashes. And what a flag of a command names. */
const withoutUnnamedSecret = (line: string): string =>
  line
    .replaceAll(/(?<![\w+/-])(?=[\w+/-]*\d)[\w+/-]{40,}={0,2}(?![\w+/-])/g, '[redacted]')
    .replaceAll(/\b[0-9a-f]{32,}\b/gi, '[redacted]')
    .replaceAll(/(--?[\w-]*(?:password|passphrase|secret|token)[= ]+)\S+/gi, '$1[redacted]');

/** The words of cloud-init (canonical/cloud-init, `cloudinit/config/cc_final_message.py`, `cc_scripts_user.py`) and of systemd about it. */
function userDataOf(text: string): ConsoleOutput['userData'] {
  if (!/cloud-init|Cloud-init/.test(text)) return 'unknown';
  if (
    /Failed to run module scripts[-_]user|Running module scripts[-_]user .* failed|Failed to start .*[Cc]loud-init/.test(
      text,
    )
  )
    return 'failed';
  return /Cloud-init v\. \S+ finished at/.test(text) ? 'finished' : 'running';
}
