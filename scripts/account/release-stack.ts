import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prefixOf } from '@drover/cloud-sandbox/real/account/mark.ts';

/** The folder of a release has not what a deployment needs. */
export class ReleaseFolderError extends Error {
  override readonly name = 'ReleaseFolderError';
}

/** A file that a stack is made from, under its key in the bucket. */
interface Artifact {
  readonly key: string;
  readonly content: () => Uint8Array;
}

export interface StackPlan {
  readonly name: string;
  /** The key of its template in the bucket. */
  readonly templateKey: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** What a run uploads, and the stacks that it makes of it, in this order. */
export interface Deployment {
  readonly bucket: string;
  readonly artifacts: readonly Artifact[];
  readonly stacks: readonly StackPlan[];
}

/** Roles that call the scale API. They are for the cases, and not a part of Drover. */
export const callers = {
  /** May invoke it, and is a viewer of Drover. */
  viewer: { mayInvoke: true },
  /** May invoke it, and Drover does not know it. */
  stranger: { mayInvoke: true },
  /** May not invoke it. */
  uninvited: { mayInvoke: false },
} as const;

export type Caller = keyof typeof callers;

export const callerRoleName = (run: string, caller: Caller): string => `${prefixOf({ run })}${caller}`;
export const stackNames = (run: string) => ({
  callers: `${prefixOf({ run })}callers`,
  release: `${prefixOf({ run })}release`,
});

/**
 * The permissions boundary of every role of a run: without one, a caller that may make roles could give them, and so itself, any right. It leaves
 * out IAM and the organization (https://docs.aws.amazon.com/aws-managed-policy/latest/reference/PowerUserAccess.html).
 */
export const stackBoundary = 'arn:aws:iam::aws:policy/PowerUserAccess';

/** All parts of Drover that add a role or a right, but the chat: its connection needs a secret. */
const partsOn = {
  TokenWebhook: 'on',
  PodHolds: 'on',
  Rolls: 'on',
  EtcdDomain: 'etcd.drover.test',
  EtcdZoneId: 'Z0123456789ABCDEFGHIJ',
  // A new account has a concurrency of ten, and Lambda keeps them unreserved.
  PassConcurrency: 'unreserved',
  TokenWebhookConcurrency: 'unreserved',
  LogRetentionInDays: '1',
};

/** The parameters of the release in a run. The name of its cluster is the end of the name of its stack, as in any stage. */
export const releaseParameters = (run: string, accountId: string): Readonly<Record<string, string>> => ({
  ...partsOn,
  Cluster: stackNames(run).release.replace(/^drover-/, ''),
  // No one else has it: a bucket without the id of a run could be made by anyone.
  EtcdSnapshotBucket: `${prefixOf({ run })}snapshots`,
  PermissionsBoundary: stackBoundary,
  ScaleApiPrincipals: `viewer=arn:aws:iam::${accountId}:role/${callerRoleName(run, 'viewer')}`,
});

/**
 * The deployment of a folder that `npm run release` has made.
 *
 * @throws ReleaseFolderError if it is not such a folder
 */
export function planDeployment(
  directory: string,
  { run, accountId }: { readonly run: string; readonly accountId: string },
): Deployment {
  const template = releaseTemplateIn(directory);
  const bucket = `${prefixOf({ run })}release`;
  const zips = readdirSync(join(directory, 'functions')).map((file) => ({
    key: `functions/${file}`,
    content: () => readFileSync(join(directory, 'functions', file)),
  }));
  const names = stackNames(run);
  const ownTemplate = Buffer.from(JSON.stringify(callersTemplate(run)));
  return {
    bucket,
    artifacts: [
      ...zips,
      { key: 'release.template.json', content: () => readFileSync(template) },
      { key: 'callers.template.json', content: () => ownTemplate },
    ],
    stacks: [
      { name: names.callers, templateKey: 'callers.template.json', parameters: {} },
      {
        name: names.release,
        templateKey: 'release.template.json',
        parameters: {
          ...releaseParameters(run, accountId),
          ArtifactBucket: bucket,
          ArtifactPrefix: '',
        },
      },
    ],
  };
}

/** @throws ReleaseFolderError if the folder has no template */
export function releaseTemplateIn(directory: string): string {
  try {
    const file = readdirSync(directory).find((name) => name.endsWith('.template.json'));
    if (file !== undefined) return join(directory, file);
  } catch (cause) {
    throw new ReleaseFolderError(missingIn(directory), { cause });
  }
  throw new ReleaseFolderError(missingIn(directory));
}

const missingIn = (directory: string): string =>
  `${directory} is not a release: run npm run release, or name its folder with --release`;

const callersTemplate = (run: string) => ({
  AWSTemplateFormatVersion: '2010-09-09',
  Description: 'Callers of the scale API for the cases of a run',
  Resources: Object.fromEntries(
    Object.entries(callers).map(([caller, { mayInvoke }]) => [
      caller,
      {
        Type: 'AWS::IAM::Role',
        Properties: {
          RoleName: callerRoleName(run, caller as Caller),
          PermissionsBoundary: stackBoundary,
          AssumeRolePolicyDocument: document({
            Action: 'sts:AssumeRole',
            Principal: { AWS: { 'Fn::Sub': 'arn:aws:iam::${AWS::AccountId}:root' } },
          }),
          ...(mayInvoke && {
            Policies: [
              {
                PolicyName: 'invoke',
                PolicyDocument: document({ Action: 'execute-api:Invoke', Resource: '*' }),
              },
            ],
          }),
        },
      },
    ]),
  ),
});

const document = (statement: object) => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', ...statement }],
});
