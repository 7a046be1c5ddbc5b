-- A new line without a match has no sum to compare: items that are written for it are compared by their own trigger. So a
-- statement of many lines is imported without a query for each.
DROP TRIGGER bank_line_sums ON bank_line;
CREATE CONSTRAINT TRIGGER bank_line_sums AFTER UPDATE ON bank_line
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION bank_line_sums();
CREATE CONSTRAINT TRIGGER bank_line_sums_of_new AFTER INSERT ON bank_line
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW WHEN (NEW.matched_at IS NOT NULL) EXECUTE FUNCTION bank_line_sums();
