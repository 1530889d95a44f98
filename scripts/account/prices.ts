/**
 * Upper bounds for list prices in US dollars. They are at least twice the price in us-east-1 and above that of every commercial region,
 * so that a plan needs no account and no price list. What AWS charges is less.
 */
export interface Price {
  readonly dollars: number;
  readonly unit:
    | 'hour'
    | 'GB-month'
    | 'million requests'
    | 'parameter-month'
    | 'zone'
    | 'million GB-seconds'
    | 'alarm-month'
    | 'dashboard-month'
    | 'GB';
  /** Where AWS publishes the price, and that of us-east-1. */
  readonly source: string;
}

export const prices = {
  smallInstance: {
    dollars: 0.012,
    unit: 'hour',
    source: 'https://aws.amazon.com/ec2/pricing/on-demand: t4g.nano 0.0042',
  },
  volume: { dollars: 0.2, unit: 'GB-month', source: 'https://aws.amazon.com/ebs/pricing: gp3 0.08' },
  queueRequests: {
    dollars: 1,
    unit: 'million requests',
    source: 'https://aws.amazon.com/sqs/pricing: standard 0.40, FIFO 0.50',
  },
  schedulerInvocations: {
    dollars: 2.5,
    unit: 'million requests',
    source: 'https://aws.amazon.com/eventbridge/pricing: Scheduler 1.00',
  },
  // AWS charges by the month, and nothing for a zone that is deleted within twelve hours.
  hostedZone: { dollars: 1, unit: 'zone', source: 'https://aws.amazon.com/route53/pricing: a month 0.50' },
  advancedParameter: {
    dollars: 0.1,
    unit: 'parameter-month',
    source: 'https://aws.amazon.com/systems-manager/pricing: advanced 0.05',
  },
  functionTime: {
    dollars: 40,
    unit: 'million GB-seconds',
    source: 'https://aws.amazon.com/lambda/pricing: arm64, a million GB-seconds 13.34',
  },
  alarm: {
    dollars: 0.3,
    unit: 'alarm-month',
    source: 'https://aws.amazon.com/cloudwatch/pricing: alarm 0.10',
  },
  dashboard: {
    dollars: 7,
    unit: 'dashboard-month',
    source: 'https://aws.amazon.com/cloudwatch/pricing: dashboard 3.00',
  },
  logs: { dollars: 1.5, unit: 'GB', source: 'https://aws.amazon.com/cloudwatch/pricing: ingestion 0.50' },
  storageRequests: {
    dollars: 15,
    unit: 'million requests',
    source:
      'https://aws.amazon.com/s3/pricing: a million PUT 5.00, https://aws.amazon.com/api-gateway/pricing: HTTP API 1.00',
  },
} as const satisfies Readonly<Record<string, Price>>;

export type PriceName = keyof typeof prices;
