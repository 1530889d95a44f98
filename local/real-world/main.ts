/** `npm run world`: a real Kubernetes cluster on a simulated AWS account, with Drover deployed beside it, to play with. */

import { parseArgs } from 'node:util';
import { chosenEtcd } from '@drover/cloud-sandbox/real/etcd/binaries.ts';
import { whyNoNameServer } from '@drover/cloud-sandbox/real/etcd/name-server.ts';
import { kubernetes, kwok, program } from '@drover/cloud-sandbox/real/programs.ts';
import { usualEnvironmentFile } from '../../cli/env/environment-file.ts';
import { ensurePackaged } from '../../scripts/build/ensure-packaged.ts';
import { messageOf } from '../../shared/base/message-of.ts';
import { shellWord } from '../../shared/base/shell-words.ts';
import { addGroup } from '../cloud/furnish.ts';
import { addEtcdGroup } from '../etcd-group.ts';
import { clusterName, hookName } from '../names.ts';
import { createDroverSays } from '../story/drover-says.ts';
import type { Line } from '../story/line.ts';
import type { SeedStory } from '../story/seeds/step.ts';
import { seedStories } from '../story/seeds/stories.ts';
import { announce } from '../terminal/terminal-environment.ts';
import { renderLine } from '../terminal/text.ts';
import { proveRoll } from './roll/prove.ts';
import { configureRollingNode } from './roll/roll-world.ts';
import { openTrialStage } from './roll/trials/stage.ts';
import { isTrialName, runTrial, type TrialName, trials } from './roll/trials/trials.ts';
import { proveStacked } from './stacked/prove.ts';
import { createStackedWorld } from './stacked/world.ts';
import { playInWorld, whyNotReal } from './stories/play-in-world.ts';
import { environmentOf } from './terminal.ts';
import { quickTimings } from './timings.ts';
import { createRealWorld, type RealWorld } from './world.ts';

const help = `npm run world -- [--workers N] [--etcd] [--kwok] [--roll [--trial NAME]]
                 [--speed N] [--stacked] [--story NAME]

Starts a real Kubernetes cluster (etcd, kube-apiserver, controller manager,
scheduler) with Drover deployed into a simulated AWS account beside it. The
account's instances are real: each runs a kubelet, which joins with the
credential that Drover has published; containers run in name only. Terminate an
instance, and see its node drained. Ctrl-C ends everything. The kubelets have
the address of this machine, which is none of a simulated instance: Drover
denies their serving certificates.

  --workers N   instances of the group "workers" (default 2)
  --etcd        three instances with a real etcd each, which Drover looks after;
                needs root
  --kwok        nodes are played by kwok, where hundreds are wanted
  --roll        replaces all nodes (etcd with --etcd, three of a control plane,
                the workers) with \`drover roll --all\` under load while a watch
                of EndpointSlices looks for gaps, and ends: with 1 if there was
                one. Nodes are kwok's, the account's time passes five times as
                fast
  --trial NAME  with --roll: lets something fail in the middle of a roll of the
                workers; what lasts does so for ten minutes of the account:
                ${Object.entries(trials)
                  .map(([name, { claim }]) => `${name.padEnd(9)} ${claim}`)
                  .join('\n                ')}
  --speed N     with --roll and --story kubecfn: how many times as fast as this
                machine's the account's time passes (default 5)
  --stacked     three instances with a real etcd and a real API server each,
                behind what stands for their load balancer: born from nothing,
                each replaced in turn and by \`drover roll\`, one lost for good,
                then two, with a workload and kubectl at every step. Ends with 1
                if an object of the workload is lost; needs root
  --story NAME  plays a document that Drover came from with real programs, step
                by step as npm start does: kubecfn (etcd and API servers as with
                --stacked; needs root), eks-join or eks-auth (kubelets). Ends
                with 1 if a step does not come within its time. The other two
                need Kubernetes 1.11, and play in the sandbox only
  --help        this text
`;

const { stdout, stderr } = process;
const startedAt = Date.now();
const look = {
  columns: stdout.columns ?? Number.POSITIVE_INFINITY,
  colour: stdout.isTTY && stdout.hasColors(),
};
const print = (line: Line): void => void stdout.write(`${renderLine(line, startedAt, look)}\n`);
const say = (speaker: Line['speaker'], text: string): void => print({ at: Date.now(), speaker, text });

interface Options {
  readonly workers: number;
  readonly withEtcd: boolean;
  readonly withKwok: boolean;
  readonly speed: number;
  readonly trial?: TrialName;
}

function whyNot({ withEtcd, withKwok }: Options): string | undefined {
  if (!chosenEtcd.isInstalled) return `etcd ${chosenEtcd.version} is not installed: npm run real:etcd`;
  const missing = [kubernetes, ...(withKwok ? [kwok] : [])].flatMap((one) => one.missing ?? []);
  if (missing.length > 0) return `Kubernetes is not installed: ${missing.join('; ')}`;
  return withEtcd ? whyNoNameServer() : undefined;
}

async function open({ workers, withEtcd, withKwok }: Options): Promise<RealWorld> {
  const droverSays = createDroverSays();
  const world = await createRealWorld({
    nodes: withKwok ? 'kwok' : 'kubelet',
    withEtcd,
    onProblem: (problem) => say('problem', messageOf(problem)),
    onLine: (_, line) => {
      const said = droverSays(Date.now(), line);
      if (said) print(said);
    },
  });
  world.cloud.account.ec2.onInstanceStateChange(({ instanceId, state }) =>
    say('aws', `${instanceId} is ${state}`),
  );
  addGroup(world.cloud, {
    autoScalingGroupName: 'workers',
    clusterName,
    size: workers,
    hook: { name: hookName, heartbeatTimeoutSeconds: 300 },
    settings: { MaxSize: 1000, DeletionProtection: 'prevent-force-deletion' },
  });
  if (withEtcd) addEtcdGroup(world.cloud, { size: 3 });
  return world;
}

/** Lines to copy into another terminal. */
const welcome = ({ controlPlane, aws }: RealWorld): string =>
  [
    `A real Kubernetes ${kubernetes.version} is up at ${controlPlane.url}; the simulated AWS at ${aws.url}.`,
    'Copy into another terminal, in this folder:',
    'eval "$(npx --no -- drover env)"',
    `alias kubectl=${shellWord(program(kubernetes, 'kubectl'))}`,
    'npx --no -- drover status',
    'npx --no -- drover doctor',
    'npx --no -- drover adopt workers --plan',
    'kubectl get nodes,pods -o wide',
    'kubectl create deployment web --image=registry.example/web:1 --replicas=5',
    'aws autoscaling describe-auto-scaling-instances --output table',
    'aws autoscaling terminate-instance-in-auto-scaling-group --no-should-decrement-desired-capacity --instance-id i-...',
    'docs/sandbox.md has a walk: adopt, run, leave, uninstall.',
    '',
  ].join('\n');

/** Ends with the verdict. */
async function roll({ workers, withEtcd, speed }: Options): Promise<void> {
  await ensurePackaged({ bundles: 'fresh' });
  const onProblem = (problem: unknown): void => say('problem', messageOf(problem));
  const world = await createRealWorld({
    nodes: 'kwok',
    speed,
    withEtcd,
    timings: quickTimings,
    configureNode: configureRollingNode,
    onProblem,
  });
  try {
    const isProven = await proveRoll(world, {
      workers,
      withEtcd,
      controlPlanes: 3,
      workloads: 2 * workers,
      surge: Math.max(1, Math.ceil(workers / 10)),
      onProblem,
      say: (text) => say('drover', text.trim()),
    });
    process.exitCode = isProven ? 0 : 1;
  } finally {
    await world.close();
  }
  // Sockets that are kept for later requests would hold the process.
  process.exit();
}

/** Ends with the verdict. */
async function stack(): Promise<void> {
  const onProblem = (problem: unknown): void => say('problem', messageOf(problem));
  const world = await createStackedWorld({ size: 3, speed: 5, timings: quickTimings, onProblem });
  try {
    const isProven = await proveStacked(world, { size: 3, say: (text) => say('drover', text.trim()) });
    process.exitCode = isProven ? 0 : 1;
  } finally {
    await world.close();
  }
  // Sockets that are kept for later requests would hold the process.
  process.exit();
}

/** Ends with the verdict. */
async function tell(story: SeedStory, { workers, speed }: Options): Promise<void> {
  const droverSays = createDroverSays();
  try {
    const isWell = await playInWorld(story, {
      // One leaves, and another one stays.
      workers: Math.max(2, workers),
      speed,
      say: (text) => say('story', text),
      onLine: (_, line) => {
        const said = droverSays(Date.now(), line);
        if (said) print(said);
      },
      onProblem: (problem) => say('problem', messageOf(problem)),
    });
    process.exitCode = isWell ? 0 : 1;
  } catch (error) {
    say('problem', messageOf(error));
    process.exitCode = 1;
  }
  process.exit();
}

/** A group of three workers at least: one leaves, and another one is looked at meanwhile. */
async function tryRoll(name: TrialName, { workers, speed }: Options): Promise<void> {
  const stage = await openTrialStage({
    speed,
    workers: Math.max(3, workers),
    heldSeconds: 600,
    say: (text) => say('drover', text),
    onProblem: (problem) => say('problem', messageOf(problem)),
  });
  try {
    await runTrial(stage, name);
  } catch (error) {
    say('problem', messageOf(error));
    process.exitCode = 1;
  } finally {
    await stage.close();
  }
  process.exit();
}

async function main(options: Options): Promise<void> {
  stdout.write('Starting etcd, the API server, the controller manager and the scheduler ...\n');
  await ensurePackaged({ bundles: 'fresh' });
  const world = await open(options);
  const announced = announce(environmentOf(world), usualEnvironmentFile);
  process.on('exit', () => announced.remove());
  stdout.write(`${welcome(world)}\n`);
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    stdout.write('\nEnding everything ...\n');
    world.close().then(
      () => process.exit(0),
      (error: unknown) => {
        stderr.write(`The shutdown failed: ${messageOf(error)}\n`);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

/** What runs until a verdict is ended by a signal too: leaving this process kills the programs that it has started. */
function exitOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(130));
}

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    etcd: { type: 'boolean', default: false },
    kwok: { type: 'boolean', default: false },
    roll: { type: 'boolean', default: false },
    stacked: { type: 'boolean', default: false },
    trial: { type: 'string' },
    story: { type: 'string' },
    speed: { type: 'string', default: '5' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});
const story = seedStories.find(({ name }) => name === values.story);
const isStacked = values.stacked || story?.cluster === 'etcd-beside';
const options = {
  workers: Number(values.workers),
  withEtcd: values.etcd || isStacked,
  withKwok: values.kwok || values.roll || isStacked,
  speed: Number(values.speed),
  ...(values.trial !== undefined && isTrialName(values.trial) && { trial: values.trial }),
};
const mistake = (): string | undefined => {
  if (!/^\d{1,3}$/.test(values.workers))
    return `--workers takes a whole number from 0 to 999, not ${JSON.stringify(values.workers)}`;
  if (!/^[1-9]\d?$/.test(values.speed))
    return `--speed takes a whole number from 1 to 99, not ${JSON.stringify(values.speed)}`;
  if (values.trial !== undefined && (options.trial === undefined || !values.roll))
    return `--trial takes one of ${Object.keys(trials).join(', ')}, beside --roll`;
  if (values.story !== undefined && story === undefined)
    return `--story takes ${seedStories.map(({ name }) => name).join(', ')}, not ${JSON.stringify(values.story)}`;
  const other = (['roll', 'stacked', 'etcd', 'kwok'] as const).find((flag) => values[flag]);
  if (story && other !== undefined) return `--story and --${other} exclude each other`;
  return (story && whyNotReal(story)) ?? whyNot(options);
};
const refusal = mistake();
if (values.help) stdout.write(help);
else if (refusal !== undefined) {
  stderr.write(`${refusal}\n`);
  process.exitCode = 2;
} else if (story || values.roll || values.stacked) {
  exitOnSignal();
  if (story) await tell(story, options);
  else if (options.trial !== undefined) await tryRoll(options.trial, options);
  else if (values.roll) await roll(options);
  else await stack();
} else await main(options);
