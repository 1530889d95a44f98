import { thisMachine } from '../../../../cli/context.ts';
import { runCli } from '../../../../cli/program.ts';
import { terminalEnvironmentOf } from '../../../../local/terminal/terminal-environment.ts';
import type { NthWorld } from './world.ts';

interface CommandEnd {
  readonly exitCode: number;
  readonly said: string;
}

/** Runs `drover migrate nth`, whose pauses are as long as the time of the world; with `killedAfter`, each request from that one on fails. */
export async function migrate(
  world: NthWorld,
  flags: readonly string[],
  { killedAfter = Number.POSITIVE_INFINITY }: { readonly killedAfter?: number } = {},
): Promise<CommandEnd> {
  const machine = thisMachine();
  const { sandbox } = world;
  const { doors, clock } = sandbox;
  let requests = 0;
  let said = '';
  const output = {
    isTerminal: false,
    write: (text: string): void => {
      said += text;
    },
  };
  const exitCode = await runCli(['migrate', 'nth', ...flags], {
    ...machine,
    environment: terminalEnvironmentOf({
      ...sandbox,
      awsUrl: doors.aws.url,
      scaleApiUrl: doors.httpApi.url,
      reachesEtcd: false,
    }),
    clock: { ...machine.clock, now: () => clock.now() },
    pause: (milliseconds) => world.pass(milliseconds / 1000),
    stdout: output,
    stderr: output,
    sendHttp: (request) => {
      requests += 1;
      if (requests > killedAfter) return Promise.reject(new Error('the command is killed'));
      return machine.sendHttp(request);
    },
  });
  return { exitCode, said };
}
