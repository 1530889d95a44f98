/** How often clients should poll: an instance needs about a minute to become a Node. */
export const pollSeconds = 10;
