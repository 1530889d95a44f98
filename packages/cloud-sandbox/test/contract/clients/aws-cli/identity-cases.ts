import { expect } from 'vitest';
import type { Cases } from '../../../../truth/contract.ts';
import { type CliWorld, refusedCode } from './cli.ts';

/** One call in each protocol, and what its service calls a signature that is not the one it computes. */
const calls = [
  ['sts get-caller-identity', 'SignatureDoesNotMatch'],
  ['ec2 describe-subnets', 'AuthFailure'],
  ['ssm describe-parameters', 'InvalidSignatureException'],
  ['scheduler list-schedules', 'InvalidSignatureException'],
  ['route53 list-hosted-zones', 'SignatureDoesNotMatch'],
  ['s3api list-buckets', 'SignatureDoesNotMatch'],
] as const;

const withCode = (code: string) => ({
  code: refusedCode,
  stdout: '',
  stderr: expect.stringContaining(`An error occurred (${code}) when calling the `),
});

/** The identity of a caller, and what an unknown caller gets. */
export const identityCases: Cases<CliWorld> = {
  'sts get-caller-identity names the user of the keys': async ({ json }) => {
    expect(await json('sts get-caller-identity')).toEqual({
      UserId: expect.stringMatching(/^AIDA/),
      Account: '123456789012',
      Arn: 'arn:aws:iam::123456789012:user/you',
    });
  },

  'a wrong secret is refused in each protocol, with the code of the service': async ({ having }) => {
    const { tried } = having({ AWS_SECRET_ACCESS_KEY: 'wrong' });
    for (const [words, code] of calls) expect(await tried(words)).toMatchObject(withCode(code));
  },

  'an unknown access key and a missing signature are refused': async ({ having, tried }) => {
    const stranger = having({ AWS_ACCESS_KEY_ID: 'AKIANOBODY' });
    expect(await stranger.tried('sts get-caller-identity')).toMatchObject(withCode('InvalidClientTokenId'));
    expect(await tried('sts get-caller-identity --no-sign-request')).toMatchObject(
      withCode('MissingAuthenticationToken'),
    );
  },

  'what the sandbox does not do is said in words, of an operation and of a service': async ({ tried }) => {
    expect((await tried('autoscaling describe-policies')).stderr).toContain(
      'This sandbox does not do autoscaling:DescribePolicies',
    );
    for (const words of ['dynamodb list-tables', 'cloudtrail describe-trails', 'kms list-keys'])
      expect((await tried(words)).stderr).toMatch(
        /\(InvalidAction\) when calling the \w+ operation: This sandbox does not simulate the AWS service/,
      );
  },
};
