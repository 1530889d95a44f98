import { createAwsJson } from './aws-json.ts';
import { awsQuery } from './aws-query.ts';
import { ec2Query } from './ec2-query.ts';
import type { Protocol, ProtocolName } from './protocol.ts';
import { restJson } from './rest-json.ts';
import { restXml } from './rest-xml.ts';
import { s3Rest } from './s3-rest.ts';

export const protocols: Readonly<Record<ProtocolName, Protocol>> = {
  awsQuery,
  ec2Query,
  awsJson1_0: createAwsJson('1.0'),
  awsJson1_1: createAwsJson('1.1'),
  restJson,
  restXml,
  s3Rest,
};
