import { SiteError } from './site-error.ts';

/**
 * The address before the path of a source file, with a `/` at its end.
 *
 * @throws SiteError if it is not an address of the web.
 */
export function repositoryAddress(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.parse(given);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new SiteError(
      `--repository ${given} is not an address: give one as https://HOST/OWNER/NAME/blob/BRANCH`,
    );
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
