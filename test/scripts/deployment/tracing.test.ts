import { describe, expect, test } from 'vitest';
import TracingPlugin, { resourcesWithTracing } from '../../../scripts/deployment/tracing.ts';
import { chosenResources } from '../../support/conditions.ts';

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

const tracedResources = (tracing: 'on' | 'rights' | 'off') =>
  chosenResources(resourcesWithTracing(resources), { tracing });

describe('active tracing', () => {
  test('is on for every function, with the rights only in its role', () => {
    const { ChatRole } = resources;
    expect(tracedResources('on')).toEqual({
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
      resourcesWithTracing({ F: { Type: 'AWS::Lambda::Function', Properties: { Role } } }),
    ).toThrow('tracing needs functions whose roles are of this stack');
  });

  test('is prepared by changing only the rights of the roles', () => {
    const { SweepRole, BareRole } = tracedResources('on');
    expect(tracedResources('rights')).toMatchObject({ SweepRole, BareRole });
    const { SweepLambdaFunction, ChatRole } = tracedResources('off');
    expect(tracedResources('rights')).toMatchObject({ SweepLambdaFunction, ChatRole });
  });

  test('adds nothing if it is off', () => {
    const { SweepLambdaFunction, SweepRole, ChatRole } = resources;
    expect(tracedResources('off')).toMatchObject({ SweepLambdaFunction, SweepRole, ChatRole });
    expect(JSON.stringify(tracedResources('off'))).not.toMatch(/xray|TracingConfig|DROVER_TRACING/i);
  });

  test('is what the complete template has', () => {
    const compiledCloudFormationTemplate = { Resources: resources };
    const { hooks } = new TracingPlugin({
      service: { custom: {}, provider: { compiledCloudFormationTemplate } },
    });
    hooks['after:aws:package:finalize:mergeCustomProviderResources']?.();
    expect(compiledCloudFormationTemplate.Resources).toEqual(resourcesWithTracing(resources));
  });
});
