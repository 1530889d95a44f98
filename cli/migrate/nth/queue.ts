/** The ARN of a queue by its URL; undefined if the URL does not name an account and a queue. Pure. */
export function queueArnOf(url: string, region: string): string | undefined {
  const [, host = '', account, name] =
    /^https?:\/\/([^/]+)(?:\/[^/]+)*?\/(\d{12})\/([\w.-]{1,80})\/?$/.exec(url.trim()) ?? [];
  if (account === undefined || name === undefined) return undefined;
  const ofHost = /(?:^sqs(?:-fips)?\.|^)([a-z]{2}(?:-[a-z]+)+-\d)\./.exec(host)?.[1] ?? region;
  return `arn:${partitionOf(ofHost)}:sqs:${ofHost}:${account}:${name}`;
}

/** https://docs.aws.amazon.com/whitepapers/latest/aws-fault-isolation-boundaries/partitions.html */
const partitionOf = (region: string): string =>
  region.startsWith('cn-') ? 'aws-cn' : region.startsWith('us-gov-') ? 'aws-us-gov' : 'aws';
