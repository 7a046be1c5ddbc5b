-- SHA-256 of the payments of each statement that the bank booked as one line, by which verification compares them with the
-- record of the import. Inlined, so that a condition on the statement reads its payments alone.
CREATE FUNCTION bank_part_digests() RETURNS TABLE (statement_id uuid, digest text) LANGUAGE sql STABLE AS $$
  SELECT line.statement_id,
         encode(sha256(convert_to(string_agg(
           json_build_array(line.position, part.position, part.amount_minor, part.end_to_end_reference, part.trace,
                            part.text, part.counterparty)::text, E'\n' ORDER BY line.position, part.position), 'UTF8')),
           'hex')
    FROM public.bank_line_part AS part JOIN public.bank_line AS line ON line.id = part.line_id
   GROUP BY line.statement_id
$$;
REVOKE ALL ON FUNCTION bank_part_digests FROM PUBLIC;
GRANT EXECUTE ON FUNCTION bank_part_digests TO purser_app;
