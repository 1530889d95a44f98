import { readFileSync } from 'node:fs';
import { roleBoundary } from '@drover/cloud-sandbox/real/account/commands.ts';
import { prefixOf } from '@drover/cloud-sandbox/real/account/mark.ts';
import * as z from 'zod/mini';
import type { Statement } from './policy.ts';
import { stackBoundary } from './release-stack.ts';

const textOrTexts = z.union([z.string(), z.array(z.string())]);
const documentSchema = z.object({
  Statement: z.array(z.object({ Effect: z.literal('Allow'), Action: textOrTexts, Resource: textOrTexts })),
});

/** The chapter with the least permissions that we know of. A run deploys with them, and so tests them. */
const page = 'docs/deployment.md';
const chapter = '## The role that deploys';

/** What the documented names stand for: any stack of a run. The name of its cluster is that of the stack without `drover-`. */
const places = (region: string | undefined): readonly (readonly [RegExp, string])[] => {
  const stage = `${prefixOf({})}*`;
  return [
    [/drover-(?:STAGE|CLUSTER)(?:-?\*)?/g, stage],
    [/\bBUCKET\b/g, stage],
    [/\bREGION\b/g, region ?? '*'],
    [/\bACCOUNT\b/g, '*'],
  ];
};

/** @returns what CloudFormation needs of its caller, for stacks of runs, and a limit for the roles that it makes */
export function deploymentStatements(region: string | undefined): readonly Statement[] {
  const text = readFileSync(page, 'utf8').split(chapter)[1] ?? '';
  const json = /```json\n(.*?)```/s.exec(text)?.[1] ?? '';
  const named = places(region).reduce((all, [part, name]) => all.replaceAll(part, name), json);
  const { Statement: documented } = documentSchema.parse(JSON.parse(named));
  return [
    ...documented.map(({ Effect, Action, Resource }, index) => ({
      Sid: `Deployment${index + 1}`,
      Effect,
      Action: [Action].flat(),
      Resource,
    })),
    {
      // The list above would otherwise be a way to any right: its caller may make a role, and give it any policy.
      Sid: 'NoRolesWithoutBoundary',
      Effect: 'Deny',
      Action: [
        'iam:AttachRolePolicy',
        'iam:CreateRole',
        'iam:PutRolePermissionsBoundary',
        'iam:PutRolePolicy',
      ],
      Resource: '*',
      Condition: { StringNotEquals: { 'iam:PermissionsBoundary': [roleBoundary, stackBoundary] } },
    },
    {
      Sid: 'NoEndOfBoundaries',
      Effect: 'Deny',
      Action: ['iam:DeleteRolePermissionsBoundary'],
      Resource: '*',
    },
  ];
}
