import { dashboardState } from '../../../local/dashboard/state/dashboard-state.ts';
import { clusterName, type DroverWorld } from '../../../local/world/drover-world.ts';
import { callScaleApi } from '../../../local/world/scale-api-call.ts';
import { status as statusSchema } from '../../../shared/scale-api/schemas/answers/status.ts';
import { operatorOf } from '../../cli/operator.ts';
import { runUi } from '../../cli/ui/run-ui.ts';
import { listenForPeople } from '../people.ts';

export const surfaceNames = ['status', 'doctor', 'api', 'page', 'ui', 'digest'] as const;
export type SurfaceName = (typeof surfaceNames)[number];

export interface ShownProblem {
  readonly kind?: string;
  readonly subject: string;
  readonly alarm?: string | null | undefined;
}

/** What a surface shows. */
export interface Shown {
  readonly problems: readonly ShownProblem[];
  /** What it says that it has not looked at. */
  readonly notLookedAt: readonly string[];
}

type Ask = (world: DroverWorld) => Promise<Shown>;

interface Listed {
  readonly problems: readonly ShownProblem[];
  readonly notLookedAt?: readonly string[];
}

const shownIn = ({ problems, notLookedAt = [] }: Listed): Shown => ({ problems, notLookedAt });

const printed =
  (line: string): Ask =>
  async (world) =>
    shownIn(JSON.parse((await operatorOf(world)(line)).out) as Listed);

/** Each surface as its viewer gets it: a command of an operator, the deployed function with its role, and the states of the two pages. */
export const surfaces: Readonly<Record<SurfaceName, Ask>> = {
  status: printed('status --json'),
  doctor: printed('doctor --json'),
  api: async (world) =>
    shownIn(statusSchema.parse(JSON.parse((await callScaleApi(world, 'GET', '/status')).body))),
  page: (world) =>
    Promise.resolve(shownIn(dashboardState(world, { passes: [], news: [], now: world.clock.now() }))),
  ui: async (world) => {
    const ui = await runUi(world);
    try {
      return shownIn(await ui.state());
    } finally {
      await ui.interrupt();
    }
  },
  digest: async (world) => {
    const received = listenForPeople(world);
    // A sweep that has lost what its receivers know sends the whole list.
    world.account.ssm.operations.PutParameter(
      { Name: `/drover/${clusterName}/digest`, Value: 'damaged', Type: 'String', Overwrite: true },
      { principal: world.account.operator, requestId: 'test' },
    );
    await world.lambda.invoke('sweep', {});
    await world.timeline.pass(1);
    const digests = received().filter(({ detail }) => detail.kind === 'problems');
    const { problems, notLookedAt } = digests.at(-1)?.detail ?? {};
    return shownIn({ problems: problems ?? [], ...(notLookedAt && { notLookedAt }) });
  },
};
