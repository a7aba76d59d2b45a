/** Names by id; none where their service couldn't say in time. */
export const namesOf = (
  records: readonly { id: number; name: string }[] | null,
): ReadonlyMap<number, string> => new Map(records?.map(({ id, name }) => [id, name]));
