import * as z from 'zod/mini';
import { TemplateError } from '../../scripts/deployment/template-error.ts';

const resourceSchema = z.strictObject({
  Type: z.string(),
  Properties: z.optional(z.record(z.string(), z.unknown())),
  DependsOn: z.optional(z.unknown()),
  DeletionPolicy: z.optional(z.enum(['Retain', 'RetainExceptOnCreate', 'Delete'])),
  UpdateReplacePolicy: z.optional(z.enum(['Retain', 'Delete'])),
  Metadata: z.optional(z.unknown()),
});

const templateSchema = z.strictObject({
  AWSTemplateFormatVersion: z.optional(z.string()),
  Description: z.optional(z.string()),
  Parameters: z.optional(
    z.record(
      z.string(),
      z.looseObject({ Type: z.string(), Default: z.optional(z.union([z.string(), z.number()])) }),
    ),
  ),
  Resources: z.record(z.string(), resourceSchema),
  Outputs: z.optional(z.record(z.string(), z.looseObject({ Value: z.unknown() }))),
});

/** What of `serverless-state.json` is needed: which zip is whose, which the template does not say. */
const stateSchema = z.object({
  service: z.object({
    service: z.string(),
    provider: z.object({ stage: z.string(), stackName: z.optional(z.string()) }),
    functions: z.record(
      z.string(),
      z.object({ name: z.string(), package: z.object({ artifact: z.string() }) }),
    ),
  }),
});

export type Template = z.infer<typeof templateSchema>;
export type Resource = z.infer<typeof resourceSchema>;
export type State = z.infer<typeof stateSchema>;

/** @throws TemplateError that names every member that does not fit. */
export function check<Schema extends z.ZodMiniType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const parsed = z.safeParse(schema, value);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const path = issue.path.map(String).join('.');
    const what =
      issue.code === 'unrecognized_keys' ? `unknown here: ${issue.keys.join(', ')}` : issue.message;
    return path === '' ? what : `${path}: ${what}`;
  });
  throw new TemplateError(where, problems.join('; '));
}

export const checkTemplate = (value: unknown): Template => check(templateSchema, value, 'the template');
export const checkState = (value: unknown): State => check(stateSchema, value, 'serverless-state.json');
