import type { AlarmWiring, MetricQuery, TopicWiring } from '@drover/cloud-sandbox';
import * as z from 'zod/mini';
import { readResources, type Stack } from './stack.ts';

const topicReader = {
  type: 'AWS::SNS::Topic',
  schema: z.strictObject({ TopicName: z.optional(z.string()) }),
  ignoredProperties: { Tags: 'words for people', DisplayName: 'words for people' },
};

const topicPolicyReader = {
  type: 'AWS::SNS::TopicPolicy',
  schema: z.strictObject({ Topics: z.array(z.string()), PolicyDocument: z.looseObject({}) }),
};

/** The topics with their policies. */
export function readTopics(stack: Stack): readonly TopicWiring[] {
  const policies = new Map(
    readResources(stack, topicPolicyReader).flatMap(({ properties }) =>
      properties.Topics.map((topicArn) => [topicArn, JSON.stringify(properties.PolicyDocument)] as const),
    ),
  );
  return readResources(stack, topicReader).map(({ logicalId }) => {
    const topicArn = stack.references.getAttribute(logicalId, 'TopicArn', logicalId);
    const policy = policies.get(topicArn);
    return {
      topicName: stack.references.getAttribute(logicalId, 'TopicName', logicalId),
      topicArn,
      ...(policy !== undefined && { policy }),
    };
  });
}

const dimensionsSchema = z.array(z.strictObject({ Name: z.string(), Value: z.string() }));

const metricSchema = z.strictObject({
  Id: z.string(),
  Label: z.optional(z.string()),
  ReturnData: z.optional(z.boolean()),
  Expression: z.optional(z.string()),
  MetricStat: z.optional(
    z.strictObject({
      Period: z.number(),
      Stat: z.string(),
      Metric: z.strictObject({
        Namespace: z.string(),
        MetricName: z.string(),
        Dimensions: z.optional(dimensionsSchema),
      }),
    }),
  ),
});

const alarmReader = {
  type: 'AWS::CloudWatch::Alarm',
  schema: z.strictObject({
    AlarmName: z.string(),
    AlarmDescription: z.optional(z.string()),
    AlarmActions: z.optional(z.array(z.string())),
    OKActions: z.optional(z.array(z.string())),
    InsufficientDataActions: z.optional(z.array(z.string())),
    Namespace: z.optional(z.string()),
    MetricName: z.optional(z.string()),
    Dimensions: z.optional(dimensionsSchema),
    Statistic: z.optional(z.string()),
    Period: z.optional(z.number()),
    Metrics: z.optional(z.array(metricSchema)),
    EvaluationPeriods: z.number(),
    DatapointsToAlarm: z.optional(z.number()),
    ComparisonOperator: z.string(),
    Threshold: z.number(),
    TreatMissingData: z.optional(z.string()),
  }),
};

type Alarm = z.output<typeof alarmReader.schema>;

const dimensionsOf = (dimensions: z.output<typeof dimensionsSchema> = []): Record<string, string> =>
  Object.fromEntries(dimensions.map(({ Name, Value }) => [Name, Value]));

function metricsOf({ Metrics, Namespace, MetricName, Dimensions, Statistic, Period }: Alarm): MetricQuery[] {
  if (!Metrics)
    return [
      {
        id: 'metric',
        namespace: Namespace ?? '',
        metricName: MetricName ?? '',
        dimensions: dimensionsOf(Dimensions),
        statistic: Statistic ?? 'Average',
        periodSeconds: Period ?? 60,
      },
    ];
  return Metrics.flatMap(({ Id, MetricStat }) =>
    MetricStat
      ? [
          {
            id: Id,
            namespace: MetricStat.Metric.Namespace,
            metricName: MetricStat.Metric.MetricName,
            dimensions: dimensionsOf(MetricStat.Metric.Dimensions),
            statistic: MetricStat.Stat,
            periodSeconds: MetricStat.Period,
          },
        ]
      : [],
  );
}

export function readAlarms(stack: Stack): readonly AlarmWiring[] {
  return readResources(stack, alarmReader).map(({ properties }) => ({
    alarmName: properties.AlarmName,
    description: properties.AlarmDescription ?? '',
    metrics: metricsOf(properties),
    expression: properties.Metrics?.find(({ Expression }) => Expression !== undefined)?.Expression,
    comparisonOperator: properties.ComparisonOperator,
    threshold: properties.Threshold,
    evaluationPeriods: properties.EvaluationPeriods,
    datapointsToAlarm: properties.DatapointsToAlarm ?? properties.EvaluationPeriods,
    treatMissingData: properties.TreatMissingData ?? 'missing',
    alarmActions: properties.AlarmActions ?? [],
    okActions: properties.OKActions ?? [],
    insufficientDataActions: properties.InsufficientDataActions ?? [],
  }));
}
