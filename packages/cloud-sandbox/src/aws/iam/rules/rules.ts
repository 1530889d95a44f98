import { autoScalingRule } from './auto-scaling.ts';
import { ec2Rule } from './ec2.ts';
import {
  cloudFormationRule,
  eksRule,
  elasticLoadBalancingRule,
  eventsRule,
  iamRule,
  lambdaRule,
  logsRule,
  monitoringRule,
  schedulerRule,
  snsRule,
  stsRule,
} from './others.ts';
import { route53Rule } from './route53.ts';
import type { ServiceRule } from './rule.ts';
import { s3Rule } from './s3.ts';
import { sqsRule } from './sqs.ts';
import { ssmRule } from './ssm.ts';

/** By signing name. */
export const serviceRules: Readonly<Record<string, ServiceRule>> = {
  autoscaling: autoScalingRule,
  cloudformation: cloudFormationRule,
  ec2: ec2Rule,
  eks: eksRule,
  elasticloadbalancing: elasticLoadBalancingRule,
  events: eventsRule,
  iam: iamRule,
  lambda: lambdaRule,
  logs: logsRule,
  monitoring: monitoringRule,
  route53: route53Rule,
  s3: s3Rule,
  scheduler: schedulerRule,
  sns: snsRule,
  sqs: sqsRule,
  ssm: ssmRule,
  sts: stsRule,
};
