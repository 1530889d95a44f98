import { Readable } from 'node:stream';
import type { Machine } from '../../cli/context.ts';
import { runCli } from '../../cli/program.ts';
import { type DroverWorld, terminate } from '../../local/world/drover-world.ts';
import { create, heldDeployment } from '../../local/world/workloads.ts';
import { untilSaid } from '../support/observed-instance.ts';
import type { Run } from './support.ts';
import { kubeconfigFor } from './support.ts';

export interface OperatorOptions {
  /** False: no kubeconfig on this machine. */
  readonly hasKubeconfig?: boolean;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly isTerminal?: boolean;
  /** The width of the terminal; absent: none is known, as in a pipe. */
  readonly columns?: number;
  readonly pause?: Machine['pause'];
  /** Defaults to the time of the world. */
  readonly clock?: Machine['clock'];
  /** Gets every call to AWS before it is made. */
  readonly onAwsCall?: () => void;
  /** Defaults to that of the world, which reaches only its API server. */
  readonly sendHttp?: Machine['sendHttp'];
  readonly awsRequestHandler?: Machine['awsRequestHandler'];
  readonly onInterrupt?: Machine['onInterrupt'];
  /** What is typed at the terminal, a line each; without it, standard input is empty. */
  readonly typed?: readonly string[];
  /** Gets what is printed as it comes, for a command that goes on. */
  readonly onOutput?: (text: string) => void;
  /** Files on this machine beside the kubeconfig, by their paths. */
  readonly files?: Readonly<Record<string, string>>;
  /** The address of the API server in the kubeconfig. */
  readonly server?: string;
  /** What AWS lets this person do; absent: everything. */
  readonly actions?: readonly string[];
}

/** `drover` on the machine of an operator: AWS credentials, a kubeconfig, and the simulation's time. */
export function operatorOf(world: DroverWorld, options: OperatorOptions = {}) {
  const { account, clock, doors, kubernetes, timeline } = world;
  const { isTerminal = false, columns, hasKubeconfig = true, actions = ['*'] } = options;
  const user = account.iam.putUser({ userName: 'ana', policies: [allow(actions)] });
  return async (line: string | readonly string[]): Promise<Run> => {
    const written = { out: '', err: '' };
    const code = await runCli(typeof line === 'string' ? line.split(' ') : line, {
      environment: {
        AWS_REGION: account.region,
        AWS_ACCESS_KEY_ID: user.accessKeyId,
        AWS_SECRET_ACCESS_KEY: user.secretAccessKey,
        DROVER_CLUSTER: 'drover',
        USER: 'ana',
        ...options.environment,
      },
      homeDirectory: '/home/ana',
      clock: options.clock ?? clock,
      pause: options.pause ?? ((milliseconds) => timeline.pass(milliseconds / 1000)),
      stdout: {
        write: (text) => {
          written.out += text;
          options.onOutput?.(text);
        },
        isTerminal,
        columns,
      },
      stderr: { write: (text) => void (written.err += text), isTerminal },
      readFile: (path) =>
        options.files?.[path] !== undefined
          ? Promise.resolve(options.files[path])
          : hasKubeconfig
            ? Promise.resolve(kubeconfigFor(kubernetes.adminToken, options.server))
            : Promise.reject(noSuchFile()),
      runProgram: () => Promise.reject(new Error('no program here')),
      ...counting(doors('operator'), options.onAwsCall),
      ...(options.awsRequestHandler && { awsRequestHandler: options.awsRequestHandler }),
      ...(options.sendHttp && { sendHttp: options.sendHttp }),
      ...(options.onInterrupt && { onInterrupt: options.onInterrupt }),
      ...(options.typed && { inputLines: () => Readable.from(options.typed ?? []) }),
    });
    return { code, ...written };
  };
}

function counting<Doors extends Pick<Machine, 'awsRequestHandler'>>(
  doors: Doors,
  onAwsCall = () => {},
): Doors {
  const { awsRequestHandler } = doors;
  if (awsRequestHandler === undefined) return doors;
  return {
    ...doors,
    awsRequestHandler: {
      ...awsRequestHandler,
      handle: (...call: Parameters<typeof awsRequestHandler.handle>) => {
        onAwsCall();
        return awsRequestHandler.handle(...call);
      },
    },
  };
}

const allow = (actions: readonly string[]) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: [...actions], Resource: '*' }],
});

const noSuchFile = (): Error => Object.assign(new Error('no such file'), { code: 'ENOENT' });

/** Terminates a member of the group whose pods a budget holds for as long as its drain may take. */
export async function startHeldDrain(world: DroverWorld, ids: readonly string[]): Promise<string> {
  await create(world, ...heldDeployment({ name: 'web', replicas: ids.length * 2 }));
  await world.timeline.pass(20);
  const [leaving = ''] = ids;
  terminate(world, leaving, { replace: false });
  await untilSaid(world, leaving, /held: default\/web/, 120);
  return leaving;
}
