import { SiteError } from './site-error.ts';

/**
 * What stands before the path of a source file in its address, with a `/` at its end.
 *
 * @throws SiteError where it is no address of the web.
 */
export function repositoryAddress(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const url = URL.parse(given);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:')
    throw new SiteError(
      `--repository ${given} is no address: give one as https://HOST/OWNER/NAME/blob/BRANCH`,
    );
  return url.href.endsWith('/') ? url.href : `${url.href}/`;
}
