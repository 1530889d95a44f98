import type { RoleWiring } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { type Read, readResources, type Stack } from './stack.ts';

const documentSchema = z.strictObject({
  Version: z.optional(z.string()),
  Statement: z.array(z.record(z.string(), z.unknown())),
});

const roleReader = {
  type: 'AWS::IAM::Role',
  schema: z.strictObject({
    RoleName: z.optional(z.string()),
    AssumeRolePolicyDocument: documentSchema,
    Policies: z.optional(z.array(z.strictObject({ PolicyName: z.string(), PolicyDocument: documentSchema }))),
  }),
  ignoredProperties: {
    Tags: 'words for people',
    Description: 'words for people',
    Path: 'a part of the ARN of the role',
    PermissionsBoundary: 'the sandbox knows no policies but those of the template',
  },
};

const managedPolicyReader = {
  type: 'AWS::IAM::ManagedPolicy',
  schema: z.strictObject({ Roles: z.array(z.string()), PolicyDocument: documentSchema }),
  ignoredProperties: { Description: 'words for people' },
};

type ManagedPolicy = Read<z.output<typeof managedPolicyReader.schema>>;

/** The roles, with the managed policies of the template that are attached to them. */
export function readRoles(stack: Stack): readonly RoleWiring[] {
  const managed: readonly ManagedPolicy[] = readResources(stack, managedPolicyReader);
  return readResources(stack, roleReader).map(({ logicalId, properties }) => {
    const where = `Resources.${logicalId}`;
    const roleName = String(stack.references.ref(logicalId, where));
    const inline = (properties.Policies ?? []).map(({ PolicyName, PolicyDocument }) => ({
      policyName: PolicyName,
      document: PolicyDocument,
    }));
    const attached = managed
      .filter((policy) => policy.properties.Roles.includes(roleName))
      .map((policy) => ({ policyName: policy.logicalId, document: policy.properties.PolicyDocument }));
    return {
      roleName,
      roleArn: stack.references.getAttribute(logicalId, 'Arn', where),
      trustPolicy: properties.AssumeRolePolicyDocument,
      policies: [...inline, ...attached],
    };
  });
}
