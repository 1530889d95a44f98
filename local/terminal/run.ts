import { createEtcdStory, isWhole } from '../story/etcd-story.ts';
import { furnishCluster, holdLaunches } from '../story/furnish.ts';
import { createIdentityStory, type IdentityStoryParts } from '../story/identity-story.ts';
import type { Line } from '../story/line.ts';
import { logIn, makeWebhookSecret, mapRole } from '../story/log-in.ts';
import { narrate } from '../story/narrate.ts';
import { putSchedule } from '../story/put-schedule.ts';
import { createScheduleStory, type ScheduleStoryParts } from '../story/schedule-story.ts';
import type { SeedStory } from '../story/seeds/step.ts';
import { askWithStolenToken } from '../story/stolen-token.ts';
import { createStory, type Story, type StoryParts } from '../story/story.ts';
import { createStrangerStory, type StrangerStoryParts } from '../story/stranger-story.ts';
import { type View, viewOf } from '../story/view.ts';
import { openSandbox, type Sandbox } from '../wire/sandbox.ts';
import { createGate } from './gate.ts';
import { createKeyboard, type KeyboardParts } from './keys/keyboard.ts';
import { createMemory } from './memory.ts';
import type { Options } from './options.ts';
import { playInSandbox } from './play-in-sandbox.ts';
import type { Reporter } from './reporter.ts';
import { announce, terminalEnvironmentOf } from './terminal-environment.ts';

/** The time of a change of Route 53. With AWS it is 20 to 60 s, too long to watch. */
const inSyncSeconds = 5;

/** The interval between two views of the sandbox, in real seconds. */
const lookSeconds = 0.2;

/** A sandbox with its story. */
export interface Running extends Pick<Sandbox, 'close' | 'forget'> {
  /** What the keys of the terminal do. */
  readonly keyboard: (parts: Pick<KeyboardParts, 'openPage' | 'quit'>) => (chunk: string) => void;
}

export interface RunParts {
  readonly createReporter: (now: () => number) => Reporter;
  /** The story of a document has ended because a step did not come. It has said which. */
  readonly onStoryFailed: () => void;
}

/**
 * Opens a sandbox, reports what happens in it, and plays the story unless it is turned off.
 *
 * @throws the error that keeps it from opening
 */
export async function run(options: Options, { createReporter, onStoryFailed }: RunParts): Promise<Running> {
  const memory = createMemory();
  const gate = createGate<Up>();
  const tellLine = (line: Line): void => {
    memory.line(line);
    gate.pass(({ reporter }) => reporter.line(line));
  };
  const tellProblem = (problem: unknown): void =>
    gate.pass(({ sandbox }) => tellLine(problemLine(sandbox.clock.now(), problem)));
  const sandbox = await openSandbox({
    ...options,
    cluster: options.seedStory?.cluster,
    furnish: (furnishing) => furnishCluster(furnishing, options.seedStory?.cluster),
    timings: { route53: { inSyncSeconds } },
    recent: memory.recent,
    onLine: (functionName, text) => {
      memory.log(text);
      gate.pass(({ reporter, narrateChanges }) => {
        // First what the function has just done, then its own log line.
        narrateChanges();
        reporter.log(functionName, text);
      });
    },
    onProblem: tellProblem,
    onInvocation: ({ functionName, outcome }) => {
      if (outcome.kind === 'succeeded') return;
      const why = 'message' in outcome ? `: ${outcome.message}` : '';
      tellProblem(`${functionName} ${outcome.kind}${why}`);
    },
  });
  holdLaunches(sandbox.cloud);
  const announced = announce(environmentOf(sandbox), options.environmentFile);
  const reporter = createReporter(() => sandbox.clock.now());
  reporter.ready({ sandbox, view: viewOf(sandbox.cloud), speed: options.speed });
  const narrateChanges = watch(sandbox, { options, reporter, tellLine });
  gate.open({ sandbox, reporter, narrateChanges });
  const tellSeedStory = async (story: SeedStory): Promise<void> => {
    const say = (text: string): void =>
      gate.pass(() => tellLine({ at: sandbox.clock.now(), speaker: 'story', text }));
    const isWell = await playInSandbox(story, { sandbox, environment: environmentOf(sandbox), say });
    if (!isWell) gate.pass(() => onStoryFailed());
  };
  if (options.seedStory) tellSeedStory(options.seedStory).catch(tellProblem);
  return {
    keyboard: (parts) =>
      createKeyboard({
        ...parts,
        cloud: sandbox.cloud,
        pageUrl: sandbox.doors.dashboard.url,
        tell: (text) => gate.pass(() => tellLine({ at: sandbox.clock.now(), speaker: 'story', text })),
      }),
    forget: () => {
      announced.remove();
      sandbox.forget();
    },
    close: async () => {
      gate.close();
      reporter.ending();
      announced.remove();
      await sandbox.close();
    },
  };
}

const environmentOf = ({ doors, ...sandbox }: Sandbox) =>
  terminalEnvironmentOf({
    ...sandbox,
    awsUrl: doors.aws.url,
    scaleApiUrl: doors.httpApi.url,
    reachesEtcd: false,
  });

interface Up {
  readonly sandbox: Sandbox;
  readonly reporter: Reporter;
  readonly narrateChanges: () => void;
}

interface Watching {
  readonly options: Options;
  readonly reporter: Reporter;
  readonly tellLine: (line: Line) => void;
}

/**
 * Takes a view of the sandbox at each interval, reports the changes, draws the panel, and continues the story.
 *
 * @returns what reports the changes between two intervals.
 */
function watch({ cloud, clock }: Sandbox, { options, reporter, tellLine }: Watching): () => View {
  const webhookSecret = makeWebhookSecret(cloud);
  const story = createStories({
    say: (text) => tellLine({ at: clock.now(), speaker: 'story', text }),
    terminate: (instanceId) =>
      cloud.account.autoScaling.operations.TerminateInstanceInAutoScalingGroup({
        InstanceId: instanceId,
        ShouldDecrementDesiredCapacity: false,
      }),
    askWithStolenToken: (nodeName) => askWithStolenToken(cloud, nodeName),
    putSchedule: (schedule) => putSchedule(cloud, schedule),
    logIn: () => logIn(cloud, webhookSecret),
    map: (isMapped) => mapRole(cloud, isMapped),
    onProblem: (problem) => tellLine(problemLine(clock.now(), problem)),
  });
  let before = viewOf(cloud);
  let hasSnapshot = false;
  const narrateChanges = (): View => {
    const view = viewOf(cloud);
    for (const line of narrate(before, view)) tellLine(line);
    before = view;
    return view;
  };
  const look = (): void => {
    const view = narrateChanges();
    if (!hasSnapshot && isWhole(view)) {
      hasSnapshot = true;
      // The first snapshot does not wait for its schedule, because Drover removes no member without one.
      void cloud.lambda.invoke('etcd-snapshot', {});
    }
    if (options.story && !options.seedStory) story.look(view);
    reporter.look(view);
    clock.after(lookSeconds * 1000 * options.speed, look);
  };
  look();
  return narrateChanges;
}

type AllParts = StoryParts &
  Omit<StrangerStoryParts, 'isQuiet'> &
  Omit<ScheduleStoryParts, 'isQuiet'> &
  Omit<IdentityStoryParts, 'isQuiet'>;

/**
 * The story of the node, with the formation of the etcd cluster beside it; then that of the stranger, the replacement of a member, the
 * schedule, and a user who logs in.
 */
function createStories(parts: AllParts): Pick<Story, 'look'> {
  const ofTheNode = createStory(parts);
  const ofTheStranger = createStrangerStory({ ...parts, isQuiet: () => ofTheNode.hasEnded() });
  const ofEtcd = createEtcdStory({ ...parts, isQuiet: () => ofTheStranger.hasEnded() });
  const ofTheSchedule = createScheduleStory({ ...parts, isQuiet: () => ofEtcd.hasEnded() });
  const ofThePerson = createIdentityStory({ ...parts, isQuiet: () => ofTheSchedule.hasEnded() });
  return {
    look: (view) => {
      for (const story of [ofTheNode, ofTheStranger, ofEtcd, ofTheSchedule, ofThePerson]) story.look(view);
    },
  };
}

const problemLine = (at: number, problem: unknown): Line => ({
  at,
  speaker: 'problem',
  text: problem instanceof Error ? `${problem.name}: ${problem.message}` : String(problem),
});
