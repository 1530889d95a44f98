/** The least that Lambda takes for a function: what every other is held against. */
exports.handler = async () => ({});
