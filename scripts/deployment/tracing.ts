/**
 * A plugin of osls for the parameter `tracing` of the stage. `rights` gives the role of every function the rights to send traces, `on` also turns
 * on active tracing. IAM takes some seconds until a changed policy counts, and CloudFormation does not wait for it, so an update that
 * gives the rights and turns tracing on at once may be refused: https://github.com/aws/serverless-application-model/issues/225
 */
import {
  changeResources,
  type Packaging,
  type Resource,
  type Resources,
  type TemplateHooks,
  when,
} from './template-plugin.ts';

export default class TracingPlugin {
  readonly hooks: TemplateHooks;

  constructor({ service }: Packaging<unknown>) {
    this.hooks = changeResources(service, resourcesWithTracing);
  }
}

/**
 * The resources of a template with tracing: each function, and the rights of its role, under the conditions HasTracing and
 * HasTracingRights. The rights are a policy of the role itself, because Lambda refuses active tracing to a function whose role lacks them. X-Ray
 * knows no resources in policies for these actions (Service Authorization Reference, "Actions defined by AWS X-Ray"). Pure.
 */
export function resourcesWithTracing(resources: Resources): Resources {
  const roles = new Set(
    Object.values(resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map(roleOf),
  );
  return Object.fromEntries(
    Object.entries(resources).map(([name, resource]) => {
      if (resource.Type === 'AWS::Lambda::Function') return [name, tracedFunction(resource)];
      return [name, roles.has(name) ? withRights(resource) : resource];
    }),
  );
}

/** @throws Error for a role of another stack, to which no right can be added */
function roleOf({ Properties }: Resource): string {
  const role = Properties?.['Role'] as { readonly 'Fn::GetAtt'?: readonly string[] } | undefined;
  const [name] = role?.['Fn::GetAtt'] ?? [];
  if (name === undefined) throw new Error('tracing needs functions whose roles are of this stack');
  return name;
}

function tracedFunction({ Properties, ...rest }: Resource): Resource {
  const environment = Properties?.['Environment'] as { readonly Variables?: object } | undefined;
  return {
    ...rest,
    Properties: {
      ...Properties,
      TracingConfig: when('HasTracing', { Mode: 'Active' }),
      Environment: { Variables: { ...environment?.Variables, DROVER_TRACING: when('HasTracing', 'on') } },
    },
  };
}

const withRights = ({ Properties, ...rest }: Resource): Resource => ({
  ...rest,
  Properties: {
    ...Properties,
    Policies: [
      ...((Properties?.['Policies'] as readonly unknown[] | undefined) ?? []),
      when('HasTracingRights', tracingPolicy),
    ],
  },
});

const tracingPolicy = {
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
