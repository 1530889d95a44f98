import { decideAccess } from '../../../src/aws/iam/access.ts';
import { type PolicyDocument, readPolicy } from '../../../src/aws/iam/policy.ts';
import { AwsError } from '../../../src/aws/service.ts';
import { accountId, type IamQuestion, type IamWorld, roleArn, sessionArn } from './support.ts';

/** The IAM of the sandbox. */
export const sandboxIam: IamWorld = {
  decide: async ({ action, resource, context = {}, ...documents }) => {
    const read = readPolicies(documents, action);
    if (read === 'refused') return read;
    const caller = { kind: 'principal', accountId, arn: sessionArn, roleArn } as const;
    return decideAccess({ question: { action, resource, context }, ...read, caller }).decision;
  },
};

interface ReadPolicies {
  readonly policies: readonly PolicyDocument[];
  readonly resourcePolicy: PolicyDocument | undefined;
}

type Documents = Pick<IamQuestion, 'policies' | 'resourcePolicy'>;

function readPolicies({ policies, resourcePolicy }: Documents, action: string): ReadPolicies | 'refused' {
  try {
    return {
      policies: policies.map((document) => readPolicy(document, 'identity')),
      resourcePolicy:
        resourcePolicy === undefined
          ? undefined
          : readPolicy(resourcePolicy, action === 'sts:AssumeRole' ? 'trust' : 'resource'),
    };
  } catch (error) {
    if (error instanceof AwsError && error.code === 'MalformedPolicyDocument') return 'refused';
    throw error;
  }
}
