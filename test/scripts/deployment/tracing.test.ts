import { describe, expect, test } from 'vitest';
import TracingPlugin, { resourcesWithTracing } from '../../../scripts/deployment/tracing.ts';

const roleOf = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
const own = { PolicyName: 'sweep' };
const resources = {
  SweepLambdaFunction: {
    Type: 'AWS::Lambda::Function',
    DependsOn: ['SweepRole'],
    Properties: { Role: roleOf('SweepRole'), Environment: { Variables: { DROVER_CLUSTER: 'prod' } } },
  },
  BareLambdaFunction: { Type: 'AWS::Lambda::Function', Properties: { Role: roleOf('BareRole') } },
  SweepRole: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'sweep', Policies: [own] } },
  BareRole: { Type: 'AWS::IAM::Role' },
  ChatRole: { Type: 'AWS::IAM::Role', Properties: { Policies: [own] } },
};
const right = {
  PolicyName: 'tracing',
  PolicyDocument: {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'SendTraces',
        Effect: 'Allow',
        Action: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
        Resource: '*',
      },
    ],
  },
};

describe('active tracing', () => {
  test('is that of every function, with the rights in its role alone', () => {
    const { ChatRole } = resources;
    expect(resourcesWithTracing(resources, 'on')).toEqual({
      SweepLambdaFunction: {
        Type: 'AWS::Lambda::Function',
        DependsOn: ['SweepRole'],
        Properties: {
          Role: roleOf('SweepRole'),
          TracingConfig: { Mode: 'Active' },
          Environment: { Variables: { DROVER_CLUSTER: 'prod', DROVER_TRACING: 'on' } },
        },
      },
      BareLambdaFunction: {
        Type: 'AWS::Lambda::Function',
        Properties: {
          Role: roleOf('BareRole'),
          TracingConfig: { Mode: 'Active' },
          Environment: { Variables: { DROVER_TRACING: 'on' } },
        },
      },
      SweepRole: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'sweep', Policies: [own, right] } },
      BareRole: { Type: 'AWS::IAM::Role', Properties: { Policies: [right] } },
      ChatRole,
    });
  });

  test('refuses a function whose role is of another stack', () => {
    const Role = 'arn:aws:iam::123456789012:role/own';
    expect(() =>
      resourcesWithTracing({ F: { Type: 'AWS::Lambda::Function', Properties: { Role } } }, 'on'),
    ).toThrow('tracing needs functions whose roles are of this stack');
  });

  test('is prepared by the rights of the roles alone', () => {
    const { SweepRole, BareRole } = resourcesWithTracing(resources, 'on');
    expect(resourcesWithTracing(resources, 'rights')).toEqual({ ...resources, SweepRole, BareRole });
  });

  test.each([
    ['on', resourcesWithTracing(resources, 'on')],
    ['rights', resourcesWithTracing(resources, 'rights')],
    ['off', resources],
  ] as const)('%s is what the complete template has', (tracing, expected) => {
    const compiledCloudFormationTemplate = { Resources: resources };
    const service = { custom: { tracing }, provider: { compiledCloudFormationTemplate } };
    const { hooks } = new TracingPlugin({ service });
    hooks['after:aws:package:finalize:mergeCustomProviderResources']?.();
    expect(compiledCloudFormationTemplate.Resources).toEqual(expected);
  });
});
