import * as z from 'zod/mini';
import { lazily } from '../../base/lazily.ts';
import { mostHeldNodes } from '../../capacity/holds/hold.ts';
import { longestHoldSeconds } from '../../capacity/holds/wish.ts';

const until = () =>
  z.iso
    .datetime({ offset: true })
    .check(z.maxLength(40), z.describe('The end of the hold: with an offset from UTC, and within a year'));

const durationSeconds = () =>
  z
    .int()
    .check(
      z.minimum(1),
      z.maximum(longestHoldSeconds),
      z.describe(
        'In place of until: how long from now. Where a request is repeated, the duration counts from the first',
      ),
    );

/** An end is given in one way. The document says it with `oneOf`, which the errors of fields do not suffer from. */
const oneEnd = () =>
  z.refine<{ readonly until?: string | undefined; readonly durationSeconds?: number | undefined }>(
    ({ until, durationSeconds }) => (until === undefined) !== (durationSeconds === undefined),
    'give either until or durationSeconds',
  );
const oneEndInDocument = { oneOf: [{ required: ['until'] }, { required: ['durationSeconds'] }] };

/** The hold of the name in the path. */
export const holdRequest = lazily(() =>
  z
    .strictObject({
      nodes: z
        .int()
        .check(z.minimum(1), z.maximum(mostHeldNodes), z.describe('How many nodes the group has at least')),
      until: z.optional(until()),
      durationSeconds: z.optional(durationSeconds()),
      raiseMaxSize: z.optional(
        z.boolean().check(z.describe('Raise MaxSize too where it is smaller; it comes down afterwards')),
      ),
    })
    .check(
      oneEnd(),
      z.meta({
        id: 'HoldRequest',
        description: 'At least so many nodes in the group until a time',
        ...oneEndInDocument,
      }),
    ),
);

export const holdExtension = lazily(() =>
  z
    .strictObject({ until: z.optional(until()), durationSeconds: z.optional(durationSeconds()) })
    .check(
      oneEnd(),
      z.meta({ id: 'HoldExtension', description: 'A later end of the hold', ...oneEndInDocument }),
    ),
);

export const holdParameters = lazily(() =>
  z.object({
    group: z.string().check(z.describe('The name of a managed Auto Scaling group, percent-encoded')),
    name: z.string().check(z.describe('The name of the hold: letters, digits, dots, dashes and underscores')),
  }),
);
