import { onTestFinished } from 'vitest';
import type { LaunchedInstance } from '../wire-account.ts';
import { deliveryOf } from './delivered.ts';
import { enterNamespaces } from './enter.ts';
import { imagePrograms } from './image-programs.ts';
import { type Run, type Started, startInside } from './run-inside.ts';
import { unitCommands } from './units.ts';

const readUserData = `token=$(curl --silent --fail --request PUT --header 'X-aws-ec2-metadata-token-ttl-seconds: 21600' http://169.254.169.254/latest/api/token)
curl --silent --fail --header "X-aws-ec2-metadata-token: $token" http://169.254.169.254/latest/user-data`;

/**
 * An instance in mount and network namespaces of its own: the metadata service is at its usual address, Parameter Store at its usual name, and
 * every path is the usual one. The stand-ins for what cannot run here are in `image-programs.ts`; `boot` and `start` stand for cloud-init,
 * Ignition and systemd.
 */
export async function enterInstance({ environment }: LaunchedInstance, programs = imagePrograms) {
  const host = await enterNamespaces(environment, programs);
  onTestFinished(host.close);

  const run = (command: string, input = '', words: readonly string[] = []): Promise<Run> =>
    startInside(host.pid, { command, input, words }).finished;
  const shell = async (command: string, input = '', words: readonly string[] = []): Promise<string> => {
    const { status, output, log } = await run(command, input, words);
    if (status !== 0) throw new Error(`${command} ${words.join(' ')}: ${status}\n${output}${log}`);
    return output;
  };
  const write = (path: string, content: string, mode = '0644'): Promise<string> =>
    shell('mkdir -p "${1%/*}" && cat >"$1" && chmod "$2" "$1"', content, [path, mode]);
  const read = async (path: string): Promise<string | undefined> => {
    const { status, output } = await run('cat "$1"', '', [path]);
    return status === 0 ? output : undefined;
  };

  /** The user data that the metadata service serves, and what the programs of the image made of it. */
  const boot = async (): Promise<string> => {
    const userData = await shell(readUserData);
    const { files, commands } = deliveryOf(userData);
    for (const { path, mode, content } of files) await write(path, content, mode);
    for (const words of commands) await shell('"$@"', '', words);
    return userData;
  };
  /** Starts a unit as systemd does: what comes before it, and then the service itself. */
  const start = async (unit: string): Promise<Started> => {
    const text = await shell(
      'cat "/etc/systemd/system/$1" "/etc/systemd/system/$1.d"/*.conf 2>/dev/null || :',
      '',
      [unit],
    );
    const { before, start: service, environment: variables } = unitCommands(text);
    const commands = [...before, ...(service === undefined ? [] : [service])];
    return startInside(host.pid, { command: commands.join(' && '), environment: variables });
  };
  const finish = async (unit: string): Promise<Run> => (await start(unit)).finished;
  return { pid: host.pid, run, shell, write, read, boot, start, finish };
}
