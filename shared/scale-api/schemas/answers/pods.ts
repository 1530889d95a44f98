import * as z from 'zod/mini';

// Clients read answers with these schemas, and the OpenAPI document contains them. A function uses only their types.

const requirements = z.optional(
  z.array(z.object({ key: z.string(), operator: z.string(), values: z.optional(z.array(z.string())) })),
);

/** The request of a hold or a schedule for pods, as it is kept. */
export const heldPods = z
  .object({
    namespace: z.string(),
    total: z.int().check(z.describe('How many there shall be in all, those that run included')),
    template: z
      .looseObject({
        labels: z.optional(z.record(z.string(), z.string())),
        spec: z.looseObject({ containers: z.array(z.looseObject({})) }),
      })
      .check(z.describe('What the scheduler reads of the pod template')),
    claims: z.optional(
      z
        .array(z.looseObject({ name: z.string() }))
        .check(z.describe('The claims that a StatefulSet makes for each pod')),
    ),
    selector: z.optional(
      z
        .object({
          matchLabels: z.optional(z.record(z.string(), z.string())),
          matchExpressions: requirements,
        })
        .check(z.describe('Which pods are meant. Absent for headroom')),
    ),
    headroom: z.optional(z.literal(true).check(z.describe('So much room at all times'))),
    endsOnceBound: z.optional(
      z.literal(true).check(z.describe('The hold ends once all its pods had a node at one read')),
    ),
  })
  .check(z.meta({ id: 'HeldPods', description: 'The pods that a hold or a schedule asks room for' }));

/** What prewarm has found of the pods of a hold. */
export const podsFound = z
  .object({
    open: z.int().check(z.describe('How many of the pods have no node')),
    placed: z.int().check(z.describe('How many of the open pods have room on Ready nodes of the group')),
    withoutPlace: z
      .int()
      .check(z.describe('How many of the open pods no further node of the group would take')),
    readAt: z.iso.datetime().check(z.describe('When the pods were read')),
  })
  .check(
    z.meta({
      id: 'PodsFound',
      description:
        'What was found of the pods of a hold. Absent until they have been read, which a deployment does only with its parameter podHolds: reason says why',
    }),
  );
