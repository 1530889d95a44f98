import type { TokenCheck } from '../../../../shared/identity/read-token.ts';

/**
 * Where Drover refuses a token that aws-iam-authenticator 0.7.18 accepts, STS agreeing: the check, and what makes it stricter. A check that is
 * not listed never refuses what the original and the simulated STS accept. A time more than five minutes ahead is refused by that STS as well.
 */
export const stricter: Partial<Record<TokenCheck, string>> = {
  encoding: 'line breaks in base64url, and bits at its end that mean nothing',
  url: 'a fragment, the scheme in upper case, and characters that no URL has',
  host: 'a user in the URL, and a region that does not exist',
  parameters:
    'names that are percent-encoded or fold to ASCII, empty parts, and values with other characters than a presigned request has',
  version: 'another Version, and none',
  credential: 'the region of another endpoint, and access key ids of other characters',
  expires: 'a number with a sign or with zeros before it',
  'signed-headers': 'other signed headers beside host and x-k8s-aws-id',
};
