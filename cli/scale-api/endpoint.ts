import type { CliContext } from '../context.ts';
import { CliError, exitCodes } from '../exit-codes.ts';
import type { ScaleApiFlags } from './flags.ts';
import { regionIn } from './gateway-refusal.ts';

const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/**
 * The address of the scale API, without a slash at its end.
 *
 * @throws CliError `usage` if there is none, or one that would send signed requests in the clear.
 */
export function endpointOf(
  { endpoint }: ScaleApiFlags,
  { environment }: Pick<CliContext, 'environment'>,
): URL {
  const text = endpoint ?? environment.DROVER_API_URL;
  if (!text)
    throw new CliError(
      'the address of the scale API is missing: give --endpoint, or set DROVER_API_URL to the output HttpApiUrl of the deployment',
      exitCodes.usage,
    );
  const url = URL.parse(text.replace(/(?<!\/)\/+$/, ''));
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback.test(url.hostname));
  if (url && isSafe && !url.username && !url.search && !url.hash) return url;
  throw new CliError(
    'the address of the API must be an https URL (or http on this machine) with no user and no query',
    exitCodes.usage,
  );
}

/**
 * The region that requests are signed for: from the flag, the address of API Gateway, or the environment.
 *
 * @throws CliError `usage` if it is not set anywhere.
 */
export function regionOf(
  url: URL,
  { region }: Pick<ScaleApiFlags, 'region'>,
  { environment }: Pick<CliContext, 'environment'>,
): string {
  const fromAddress = regionIn(url.hostname);
  const found = region ?? fromAddress ?? environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION;
  if (found) return found;
  throw new CliError('the region to sign for is missing: give --region or set AWS_REGION', exitCodes.usage);
}
