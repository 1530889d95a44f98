import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { longestHoldSeconds } from '../../capacity/holds/check-hold.ts';
import { mostHeldNodes } from '../../capacity/holds/hold.ts';
import { strictPodRequestSchema } from '../../capacity/pod-holds/pod-request.ts';
import { durationBounds, leadBounds, mostExceptions } from '../../capacity/schedules/bounds.ts';
import { setNameSchema } from '../../capacity/set-name.ts';

// Queries and bodies of the scale API. All objects are strict: a misspelt dryRun must be refused, not ignored.

const flag = (description: string) => z.optional(z.enum(['true', 'false']).check(z.describe(description)));

const dryRun = lazily(() => flag('true: report what would happen and change nothing'));

export const noQuery = lazily(() => z.strictObject({}));

export const dryRunQuery = lazily(() => z.strictObject({ dryRun: dryRun() }));

const limit = lazily(() =>
  z.optional(
    z
      .string()
      .check(
        z.regex(/^(?:[1-9]\d?|100)$/),
        z.describe('The most items on the page, from 1 to 100. Defaults to 100'),
      ),
  ),
);
const cursor = lazily(() =>
  z.optional(
    z
      .string()
      .check(
        z.minLength(1),
        z.maxLength(2048),
        z.describe('nextCursor of the previous page: an opaque string'),
      ),
  ),
);

export const pageQuery = lazily(() => z.strictObject({ limit: limit(), cursor: cursor() }));

/** The group is a query parameter, because its name may contain any character. */
export const instancesQuery = lazily(() =>
  z.strictObject({
    group: z.optional(z.string().check(z.describe('Only the instances of the group with this name'))),
    limit: limit(),
    cursor: cursor(),
  }),
);

/** Bounded, because API Gateway answers 503 after 30 seconds. */
const wait = lazily(() =>
  z.optional(
    z
      .string()
      .check(
        z.regex(/^(?:\d|1\d|20)$/),
        z.describe(
          'How long to wait for a final state, in seconds, from 0 to 20. Then the current state is returned',
        ),
      ),
  ),
);

export const waitQuery = lazily(() => z.strictObject({ wait: wait() }));

// Capacity

/** Any text is allowed: a text that is not an entity tag matches nothing. */
export const ifMatch = lazily(() =>
  z.object({
    'If-Match': z.optional(
      z
        .string()
        .check(
          z.describe(
            'The ETag of the capacity that the caller read. If it has changed since, the answer is 412',
          ),
        ),
    ),
  }),
);

/** A sanity bound; Auto Scaling enforces its own maximum. */
export const capacity = lazily(() => z.int().check(z.minimum(0), z.maximum(100_000)));
const capacityText = lazily(() => z.string().check(z.regex(/^(?:0|[1-9]\d{0,5})$/)));

export const capacityRequest = lazily(() =>
  z
    .strictObject({
      desiredCapacity: capacity().check(z.describe('From MinSize to MaxSize of the group')),
      raiseMaxSize: z.optional(
        z
          .boolean()
          .check(
            z.describe(
              'true: raise MaxSize permanently if it is lower than the desired capacity, up to maxSizeLimit of the deployment',
            ),
          ),
      ),
    })
    .check(z.meta({ id: 'CapacityRequest', description: 'The desired number of instances of the group' })),
);

/** `from` and `desired` are both present or both absent: together they name the change. */
export const capacityStatusQuery = lazily(() =>
  z.strictObject({
    from: z.optional(capacityText().check(z.describe('The desired capacity before the change'))),
    desired: z.optional(capacityText().check(z.describe('The requested desired capacity'))),
    wait: wait(),
  }),
);

// Instances

export const terminationQuery = lazily(() =>
  z.strictObject({
    lowerDesiredCapacity: flag(
      'true: lower the desired capacity by one. Otherwise Auto Scaling launches another instance',
    ),
    undrained: flag('true: terminate the instance even if no hook lets Drover drain its node first'),
    dryRun: flag('true: report what would happen and change nothing'),
  }),
);

// Holds

const heldNodes = () =>
  z
    .int()
    .check(z.minimum(1), z.maximum(mostHeldNodes), z.describe('The minimum number of nodes in the group'));

const raiseMaxSize = () =>
  z.optional(z.boolean().check(z.describe('true: raise MaxSize if it is lower, until the end of the hold')));

export const holdEnd = () =>
  z.iso
    .datetime({ offset: true })
    .check(z.maxLength(40), z.describe('The end of the hold, with an offset from UTC, within a year'));

const holdSeconds = () =>
  z
    .int()
    .check(
      z.minimum(1),
      z.maximum(longestHoldSeconds),
      z.describe(
        'Instead of until: how long from now. If a request is repeated, the duration counts from the first request',
      ),
    );

/** Exactly one of the two ends. The OpenAPI document has `oneOf`; a refinement gives better messages for single fields. */
const oneEnd = () =>
  z.refine<{ readonly until?: string | undefined; readonly durationSeconds?: number | undefined }>(
    ({ until, durationSeconds }) => (until === undefined) !== (durationSeconds === undefined),
    'give either until or durationSeconds',
  );
const oneEndInDocument = { oneOf: [{ required: ['until'] }, { required: ['durationSeconds'] }] };

/** The set that declares a hold or a schedule. */
const declaringSet = () =>
  z.optional(
    setNameSchema().check(
      z.describe('The set of drover apply that declares it, and owns it. Absent for what is made by hand'),
    ),
  );

/** Exactly one of nodes and pods, as of the two ends. */
export const oneAsked = () =>
  z.refine<{ readonly nodes?: number | undefined; readonly pods?: unknown }>(
    ({ nodes, pods }) => (nodes === undefined) !== (pods === undefined),
    'give either nodes or pods',
  );
export const oneAskedInDocument = { oneOf: [{ required: ['nodes'] }, { required: ['pods'] }] };

const heldPods = lazily(() =>
  strictPodRequestSchema().check(
    z.meta({
      id: 'PodRequest',
      description:
        'Room for pods before they exist. Either selector says which pods are meant: those that are bound to a node count as there. Or headroom is true: so much room at all times. Of the template only what the scheduler reads is kept',
    }),
  ),
);

export const holdRequest = lazily(() =>
  z
    .strictObject({
      nodes: z.optional(heldNodes()),
      pods: z.optional(heldPods()),
      until: z.optional(holdEnd()),
      durationSeconds: z.optional(holdSeconds()),
      raiseMaxSize: raiseMaxSize(),
      set: declaringSet(),
    })
    .check(
      oneEnd(),
      oneAsked(),
      z.meta({
        id: 'HoldRequest',
        description:
          'A minimum number of nodes in the group, or room for pods, until a time: exactly one of nodes and pods',
        ...oneEndInDocument,
      }),
    ),
);

export const holdPutQuery = lazily(() =>
  z.strictObject({
    dryRun: dryRun(),
    replace: flag('true: replace a different hold with that name, unless it has ended'),
  }),
);

export const holdExtension = lazily(() =>
  z
    .strictObject({ until: z.optional(holdEnd()), durationSeconds: z.optional(holdSeconds()) })
    .check(
      oneEnd(),
      z.meta({ id: 'HoldExtension', description: 'A later end of the hold', ...oneEndInDocument }),
    ),
);

// Rolls

export const rollChange = lazily(() =>
  z
    .strictObject({
      wanted: z
        .enum(['run', 'paused', 'aborted'])
        .check(z.describe('run: continue. paused: replace no further node. aborted: end it')),
      retarget: z.optional(
        z
          .boolean()
          .check(z.describe('true, with run: begin again with what the groups launch now, with a canary')),
      ),
    })
    .check(
      z.refine<{ readonly wanted: string; readonly retarget?: boolean | undefined }>(
        ({ wanted, retarget }) => retarget !== true || wanted === 'run',
        'give retarget only with run',
      ),
      z.meta({ id: 'RollChange', description: 'What is asked of a roll' }),
    ),
);

// Schedules

export const countQuery = lazily(() =>
  z.strictObject({
    count: z.optional(
      z
        .string()
        .check(
          z.regex(/^(?:[1-9]\d{0,2}|1000)$/),
          z.describe('The number of occurrences, from 1 to 1000. Defaults to 5'),
        ),
    ),
  }),
);

export const replacingQuery = lazily(() =>
  z.strictObject({
    dryRun: dryRun(),
    replace: flag('true: replace a different schedule with that name. A paused schedule stays paused'),
  }),
);

export const scheduleRequest = lazily(() =>
  z
    .strictObject({
      autoScalingGroupName: z.string().check(z.minLength(1), z.maxLength(255)),
      nodes: z.optional(heldNodes()),
      pods: z.optional(heldPods()),
      expression: z
        .string()
        .check(
          z.maxLength(256),
          z.describe(
            'When the nodes must be Ready, in the syntax of EventBridge Scheduler: cron(0 8 ? * MON-FRI *) or at(2026-12-24T08:00:00)',
          ),
        ),
      timeZone: z.optional(
        z.string().check(z.maxLength(50), z.describe('Such as Europe/Berlin. Defaults to UTC')),
      ),
      durationSeconds: z
        .int()
        .check(
          z.minimum(durationBounds.minimum),
          z.maximum(durationBounds.maximum),
          z.describe('How long the nodes are kept after each occurrence'),
        ),
      lead: z.optional(
        z
          .union([
            z.literal('measured'),
            z.int().check(z.minimum(leadBounds.minimum), z.maximum(leadBounds.maximum)),
          ])
          .check(
            z.describe(
              'How many seconds before each occurrence the hold is made. measured: as long as launches in the group take',
            ),
          ),
      ),
      exceptions: z.optional(
        z
          .array(z.iso.date())
          .check(z.maxLength(mostExceptions), z.describe('Dates in the time zone that are skipped')),
      ),
      raiseMaxSize: raiseMaxSize(),
      set: declaringSet(),
    })
    .check(
      oneAsked(),
      z.meta({
        id: 'ScheduleRequest',
        description: 'Nodes that are Ready, or room for pods, at given times',
        ...oneAskedInDocument,
      }),
    ),
);

export const schedulePause = lazily(() =>
  z
    .strictObject({ paused: z.boolean() })
    .check(z.meta({ id: 'SchedulePause', description: 'Whether the schedule is paused' })),
);
