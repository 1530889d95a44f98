import { describe, expect, test } from 'vitest';
import ConditionsPlugin, {
  type ConditionalTemplate,
  chosenFunctions,
  decided,
  withInheritedConditions,
} from '../../../scripts/deployment/conditions.ts';

const equals = (one: string, other: string) => ({ 'Fn::Equals': [one, other] });
const Conditions = { HasApi: equals('on', 'on'), IsPrivate: equals('outside', 'private') };
const refTo = (Ref: string) => ({ Ref });
const arnOf = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
const none = refTo('AWS::NoValue');

const template = (
  Resources: ConditionalTemplate['Resources'],
  Outputs: ConditionalTemplate['Outputs'] = {},
): ConditionalTemplate => ({ Conditions, Resources, Outputs });

const Api = { Type: 'Api', Condition: 'HasApi' };
const Group = { Type: 'Group', Condition: 'IsPrivate' };

describe('what refers to a conditional resource', () => {
  test('has its condition, over as many references as there are', () => {
    const inherited = withInheritedConditions(
      template(
        {
          Api,
          Stage: { Type: 'Stage', Properties: { ApiId: refTo('Api') } },
          Alarm: { Type: 'Alarm', Properties: { Dimensions: [{ Value: arnOf('Stage') }] } },
          Queue: { Type: 'Queue', Properties: { Name: refTo('AWS::StackName') } },
        },
        { Url: { Value: arnOf('Stage') }, Name: { Value: 'a' } },
      ),
    );
    expect(inherited.Resources['Stage']?.Condition).toBe('HasApi');
    expect(inherited.Resources['Alarm']?.Condition).toBe('HasApi');
    expect(inherited.Resources['Queue']).not.toHaveProperty('Condition');
    expect(inherited.Outputs['Url']?.Condition).toBe('HasApi');
    expect(inherited.Outputs['Name']).not.toHaveProperty('Condition');
    expect(inherited.Conditions).toEqual(Conditions);
  });

  test('has both if it has one of its own', () => {
    const Policy = { Type: 'Policy', Condition: 'IsPrivate', Properties: { Of: refTo('Api') } };
    const inherited = withInheritedConditions(template({ Api, Policy }));
    expect(inherited.Resources['Policy']?.Condition).toBe('HasApiAndIsPrivate');
    expect(inherited.Conditions?.['HasApiAndIsPrivate']).toEqual({
      'Fn::And': [{ Condition: 'HasApi' }, { Condition: 'IsPrivate' }],
    });
  });

  test('has none if a condition chooses the reference, or if it only waits for the resource', () => {
    const chosen = { 'Fn::If': ['IsPrivate', arnOf('Group'), none] };
    const Lambda = { Type: 'Lambda', DependsOn: ['Group'], Properties: { Groups: [chosen] } };
    expect(withInheritedConditions(template({ Group, Lambda })).Resources['Lambda']).toEqual(Lambda);
  });
});

describe('a decided template', () => {
  test('has the resources and outputs whose condition holds, without conditions', () => {
    const outputs = { Url: { Condition: 'HasApi', Value: 'a' }, Id: { Condition: 'IsPrivate', Value: 'b' } };
    expect(decided(template({ Api, Group }, outputs))).toEqual({
      Resources: { Api: { Type: 'Api' } },
      Outputs: { Url: { Value: 'a' } },
    });
  });

  test('has what each Fn::If chooses, in lists and properties', () => {
    const Properties = {
      list: ['a', { 'Fn::If': ['IsPrivate', 'b', none] }, { 'Fn::If': ['HasApi', 'c', none] }],
      missing: { 'Fn::If': ['IsPrivate', 1, none] },
      nested: { 'Fn::If': ['HasApi', { one: { 'Fn::If': ['IsPrivate', 1, 2] } }, none] },
    };
    expect(decided(template({ One: { Type: 'T', Properties } })).Resources['One']?.Properties).toEqual({
      list: ['a', 'c'],
      nested: { one: 2 },
    });
  });

  test('does not wait for a resource that it does not have', () => {
    const Lambda = { Type: 'Lambda', DependsOn: ['Api', 'Group'] };
    const Route = { Type: 'Route', DependsOn: 'Api' };
    const { Resources } = decided(template({ Api, Group, Lambda, Route }));
    expect(Resources['Lambda']?.DependsOn).toEqual(['Api']);
    expect(Resources['Route']?.DependsOn).toBe('Api');
  });

  test('cannot be made with an unknown condition', () => {
    const One = { Type: 'T', Condition: 'IsHuge' };
    expect(() => decided(template({ One }))).toThrow('there is no condition IsHuge');
    expect(() => chosenFunctions({ one: { condition: 'IsHuge' } }, Conditions)).toThrow('IsHuge');
  });
});

describe('the plugin', () => {
  const packaged = (custom: { readonly release?: boolean }) => {
    const service = {
      custom,
      functions: { api: { condition: 'HasApi' }, etcd: { condition: 'IsPrivate' }, intake: {} },
      provider: {
        compiledCloudFormationTemplate: template({
          Api,
          Group,
          Rule: { Type: 'Rule', Properties: { Of: refTo('Group') } },
        }),
      },
    };
    const { hooks } = new ConditionsPlugin({ service });
    hooks['after:aws:package:finalize:mergeCustomProviderResources']?.();
    return service;
  };

  test('leaves the parts of a stage: their functions and their resources', () => {
    const { functions, provider } = packaged({});
    expect(Object.keys(functions)).toEqual(['api', 'intake']);
    expect(provider.compiledCloudFormationTemplate).toEqual({
      Resources: { Api: { Type: 'Api' } },
      Outputs: {},
    });
  });

  test('leaves everything in a release, with its conditions', () => {
    const { functions, provider } = packaged({ release: true });
    expect(Object.keys(functions)).toEqual(['api', 'etcd', 'intake']);
    expect(provider.compiledCloudFormationTemplate).toMatchObject({
      Conditions,
      Resources: { Api, Group, Rule: { Condition: 'IsPrivate' } },
    });
  });
});
