import * as z from 'zod/mini';
import { lazily } from '../../shared/base/lazily.ts';
import { setNameSchema } from '../../shared/capacity/set-name.ts';
import {
  holdEnd,
  holdRequest,
  oneAsked,
  oneAskedInDocument,
  scheduleRequest,
} from '../../shared/scale-api/schemas/requests.ts';

// The fields are those of the scale API, so that a file and a request are checked alike. Every object is strict.

const groupName = () =>
  z.string().check(z.minLength(1), z.maxLength(255), z.describe('The name of the Auto Scaling group'));

/** A duration would count from each apply, so a declared hold has an end. */
const declaredHold = lazily(() => {
  const { nodes, pods, raiseMaxSize } = holdRequest().shape;
  return z
    .strictObject({
      autoScalingGroupName: groupName(),
      name: z.string().check(z.minLength(1), z.maxLength(64), z.describe('Distinct within the group')),
      nodes,
      pods,
      until: holdEnd(),
      raiseMaxSize,
    })
    .check(
      oneAsked(),
      z.meta({
        description: 'A minimum number of nodes, or room for pods, until a time',
        ...oneAskedInDocument,
      }),
    );
});

const declaredSchedule = lazily(() => {
  const { set: _, ...fields } = scheduleRequest().shape;
  return z
    .strictObject({
      name: z.string().check(z.minLength(1), z.maxLength(48), z.describe('Distinct within the cluster')),
      ...fields,
    })
    .check(
      oneAsked(),
      z.meta({
        description: 'Nodes that are Ready, or room for pods, at given times',
        ...oneAskedInDocument,
      }),
    );
});

/** One document of the files of `drover apply`. */
export const declaration = lazily(() =>
  z
    .strictObject({
      $schema: z.optional(z.string().check(z.describe('The address of this schema, for editors'))),
      version: z.literal(1),
      set: setNameSchema().check(
        z.describe(
          'The owner of what the document declares. Each pipeline has its own, distinct within the cluster',
        ),
      ),
      cluster: z.optional(
        z.string().check(z.minLength(1), z.describe('Refuses to be applied to another cluster')),
      ),
      holds: z.optional(z.array(declaredHold()).check(z.describe('[] declares that the set has none'))),
      schedules: z.optional(
        z.array(declaredSchedule()).check(z.describe('[] declares that the set has none')),
      ),
    })
    .check(
      z.refine(
        ({ holds, schedules }) => holds !== undefined || schedules !== undefined,
        'declares nothing: write holds or schedules, and [] for none',
      ),
      z.meta({
        title: 'Drover: declared holds and schedules',
        anyOf: [{ required: ['holds'] }, { required: ['schedules'] }],
      }),
    ),
);

export type Declaration = z.infer<ReturnType<typeof declaration>>;
