/** Reads a list of the scale API page by page. A path may have a query. */
export async function everyPage<Page extends { readonly nextCursor?: string | undefined }>(
  path: string,
  read: (path: string) => Promise<Page>,
): Promise<readonly Page[]> {
  const pages: Page[] = [];
  let next = path;
  for (;;) {
    const page = await read(next);
    pages.push(page);
    if (page.nextCursor === undefined) return pages;
    next = `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams({ cursor: page.nextCursor }).toString()}`;
  }
}
