import * as autoScaling from '@aws-sdk/client-auto-scaling';
import * as cloudFormation from '@aws-sdk/client-cloudformation';
import * as cloudWatch from '@aws-sdk/client-cloudwatch';
import * as logs from '@aws-sdk/client-cloudwatch-logs';
import * as ec2 from '@aws-sdk/client-ec2';
import * as eks from '@aws-sdk/client-eks';
import * as elasticLoadBalancing from '@aws-sdk/client-elastic-load-balancing-v2';
import * as eventBridge from '@aws-sdk/client-eventbridge';
import * as iam from '@aws-sdk/client-iam';
import * as lambda from '@aws-sdk/client-lambda';
import * as route53 from '@aws-sdk/client-route-53';
import * as s3 from '@aws-sdk/client-s3';
import * as scheduler from '@aws-sdk/client-scheduler';
import * as sns from '@aws-sdk/client-sns';
import * as sqs from '@aws-sdk/client-sqs';
import * as ssm from '@aws-sdk/client-ssm';
import * as sts from '@aws-sdk/client-sts';
import type { ServiceModel } from '../codec/protocol.ts';

const xml = (service: string, version: string): string => `http://${service}.amazonaws.com/doc/${version}`;

/** Signing name -> schemas and protocol. A service that is added to the simulation needs its line here and no codec. */
export const serviceModels: Readonly<Record<string, ServiceModel>> = {
  autoscaling: {
    client: autoScaling,
    protocol: 'awsQuery',
    xmlNamespace: `${xml('autoscaling', '2011-01-01')}/`,
  },
  cloudformation: {
    client: cloudFormation,
    protocol: 'awsQuery',
    xmlNamespace: `${xml('cloudformation', '2010-05-15')}/`,
  },
  ec2: { client: ec2, protocol: 'ec2Query', xmlNamespace: xml('ec2', '2016-11-15') },
  eks: { client: eks, protocol: 'restJson' },
  elasticloadbalancing: {
    client: elasticLoadBalancing,
    protocol: 'awsQuery',
    xmlNamespace: `${xml('elasticloadbalancing', '2015-12-01')}/`,
  },
  events: { client: eventBridge, protocol: 'awsJson1_1' },
  iam: { client: iam, protocol: 'awsQuery', xmlNamespace: 'https://iam.amazonaws.com/doc/2010-05-08/' },
  lambda: { client: lambda, protocol: 'restJson' },
  logs: { client: logs, protocol: 'awsJson1_1' },
  monitoring: { client: cloudWatch, protocol: 'awsJson1_0', queryCompatible: true },
  route53: {
    client: route53,
    protocol: 'restXml',
    xmlNamespace: 'https://route53.amazonaws.com/doc/2013-04-01/',
  },
  s3: { client: s3, protocol: 's3Rest' },
  scheduler: { client: scheduler, protocol: 'restJson' },
  sns: {
    client: sns,
    protocol: 'awsQuery',
    xmlNamespace: `${xml('sns', '2010-03-31')}/`,
    accessDenied: { code: 'AuthorizationError', statusCode: 403 },
  },
  sqs: {
    client: sqs,
    protocol: 'awsJson1_0',
    queryCompatible: true,
    accessDenied: { code: 'AccessDeniedException', statusCode: 403 },
  },
  ssm: { client: ssm, protocol: 'awsJson1_1' },
  sts: { client: sts, protocol: 'awsQuery', xmlNamespace: 'https://sts.amazonaws.com/doc/2011-06-15/' },
};
