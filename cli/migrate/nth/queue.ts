import { partitionOf } from '../../partition.ts';

/** The ARN of a queue by its URL; undefined if the URL does not name an account and a queue. Pure. */
export function queueArnOf(url: string, region: string): string | undefined {
  const [, host = '', account, name] =
    /^https?:\/\/([^/]+)(?:\/[^/]+)*?\/(\d{12})\/([\w.-]{1,80})\/?$/.exec(url.trim()) ?? [];
  if (account === undefined || name === undefined) return undefined;
  const ofHost = /(?:^sqs(?:-fips)?\.|^)([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(host)?.[1] ?? region;
  return `arn:${partitionOf(ofHost)}:sqs:${ofHost}:${account}:${name}`;
}
