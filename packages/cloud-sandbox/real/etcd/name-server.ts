import { execFileSync } from 'node:child_process';
import type { ServedZone } from '../../src/aws/route53/route53.ts';
import { answerMessage } from '../../src/dns/answer.ts';
import { type DnsDoor, openDnsDoor } from '../../src/dns/wire/dns-door.ts';

/** The zones of a simulated Route 53 on port 53, where Go's resolver asks. Rejects where the port may not be opened. */
export const openNameServer = (
  host: string,
  zones: () => readonly ServedZone[],
  onFault: (error: unknown) => void,
): Promise<DnsDoor> =>
  openDnsDoor({
    host,
    port: 53,
    answer: async (message, transport) => answerMessage(message, { zones, transport }),
    onFault,
  });

/** Why members cannot be given a resolver of their own here; undefined: they can. */
export function whyNoNameServer(): string | undefined {
  try {
    execFileSync('unshare', ['-m', 'mount', '--bind', '/etc/hosts', '/etc/resolv.conf'], { stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return `a resolv.conf of one's own needs root and unshare: ${error instanceof Error ? error.message : String(error)}`;
  }
}
