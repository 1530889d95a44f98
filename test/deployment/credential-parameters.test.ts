import { expect, test } from 'vitest';
// @ts-expect-error a CommonJS file of the deployment, without types
import credentialParameters from '../../deploy/bootstrap/credential-parameters.cjs';

test.each([
  ['worker', ['/own', '/own-tokens']],
  ['worker,control-plane', ['/own', '/own-tokens', '/own-control-plane', '/own-control-plane-tokens']],
])('with bootstrapRoles %s, bootstrap-credential may write %j', async (roles, names) => {
  const variables: Readonly<Record<string, string>> = {
    'self:custom.bootstrapParameter': '/own',
    'param:bootstrapRoles': roles,
  };
  const arns = await credentialParameters({ resolveVariable: async (name: string) => variables[name] });
  expect(arns).toEqual(
    names.map((name) => ({
      'Fn::Sub': `arn:\${AWS::Partition}:ssm:\${AWS::Region}:\${AWS::AccountId}:parameter${name}`,
    })),
  );
});
